/** A painted portrait: RGB, 3 bytes a pixel. */
export interface Painting {
    width: number;
    height: number;
    rgb: Uint8Array;
}

type Colour = [number, number, number];

function mix(a: Colour, b: Colour, t: number): Colour {
    const k = Math.min(1, Math.max(0, t));
    return [a[0] + (b[0] - a[0]) * k, a[1] + (b[1] - a[1]) * k, a[2] + (b[2] - a[2]) * k];
}

/** A fixed noise value in 0..1 for a point: the painting is the same on every machine. */
function noise(x: number, y: number): number {
    const s = Math.sin(x * 127.1 + y * 311.7) * 43758.5453;
    return s - Math.floor(s);
}

const ridge = (x: number, base: number, height: number, seed: number): number =>
    base - height * (0.5 + 0.3 * Math.sin(x * 7 + seed) + 0.15 * Math.sin(x * 19 + seed * 2) + 0.05 * Math.sin(x * 53 + seed * 5));

/** Distance of a point to a segment. */
function toSegment(px: number, py: number, ax: number, ay: number, bx: number, by: number): number {
    const dx = bx - ax;
    const dy = by - ay;
    const t = Math.min(1, Math.max(0, ((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy)));
    return Math.hypot(px - ax - t * dx, py - ay - t * dy);
}

/** The colour at (u, v), u 0..1 across, v 0..1.5 down: a tower by night, a lit gate, a watchman with a lantern. */
function colourAt(u: number, v: number, sky: Colour, lamp: Colour): Colour {
    let c = mix([10, 14, 34], sky, Math.pow(v / 1.2, 1.3));
    if (v < 0.9 && noise(Math.floor(u * 160), Math.floor(v * 160)) > 0.9965) c = mix(c, [235, 240, 255], 0.75);
    const moon = Math.hypot(u - 0.77, v - 0.26);
    c = mix(c, [200, 214, 235], Math.exp(-moon * 7) * 0.6);
    if (moon < 0.085) c = mix([236, 238, 228], [205, 210, 206], noise(Math.floor(u * 30), Math.floor(v * 30)) * 0.5);
    if (v > ridge(u, 1.08, 0.22, 1.2)) c = mix([32, 46, 74], [62, 84, 108], (v - 0.85) * 2);
    if (v > ridge(u, 1.2, 0.18, 3.4)) c = mix([20, 28, 48], [46, 62, 84], (v - 1) * 2);

    // The tower, a little wider at its foot, with battlements.
    const centre = 0.36;
    const half = 0.125 + Math.max(0, v - 0.35) * 0.035;
    const top = 0.3 + (Math.abs(u - centre) < 0.15 && Math.floor((u - centre + 1) * 24) % 2 === 0 ? 0.035 : 0);
    const crown = v > top && v < 0.4 && Math.abs(u - centre) < 0.155;
    if (crown || (v >= 0.4 && Math.abs(u - centre) < half)) {
        const shade = (u - centre + half) / (2 * half);
        const course = Math.floor(v * 46);
        const joint = (v * 46) % 1 < 0.1 || (u * 30 + (course % 2) * 0.5) % 1 < 0.06;
        c = mix([18, 20, 34], [64, 70, 94], shade * 0.85 + noise(Math.floor(u * 30 + (course % 2) * 0.5), course) * 0.14);
        if (joint) c = mix(c, [8, 9, 18], 0.4);
        for (const wy of [0.52, 0.74]) {
            if (Math.abs(u - centre) < 0.017 && Math.abs(v - wy) < 0.035) c = lamp;
        }
    }
    // The gate's arch.
    const gateX = u - centre;
    const inGate = (v > 1.1 && v < 1.3 && Math.abs(gateX) < 0.062) || (v <= 1.1 && Math.hypot(gateX, v - 1.1) < 0.062);
    if (inGate) c = mix(lamp, [90, 50, 22], Math.abs(gateX) * 9 + Math.max(0, 1.16 - v) * 2);
    c = mix(c, lamp, Math.exp(-Math.hypot(gateX * 1.1, v - 1.18) * 9) * 0.28);

    // The ground and the mist on it.
    if (v > 1.28 + 0.015 * Math.sin(u * 11)) c = mix([16, 19, 30], [6, 7, 13], (v - 1.28) * 5);

    // The watchman: cloak, hood, arm, lantern.
    const x = u - 0.66;
    const cloak = v > 1.0 && v < 1.42 && Math.abs(x) < 0.045 + (v - 1.0) * 0.16;
    const hood = Math.hypot(x * 1.1, v - 0.965) < 0.052;
    const arm = toSegment(u, v, 0.63, 1.07, 0.545, 1.1) < 0.014;
    if (cloak || hood || arm) {
        c = mix([30, 34, 56], [10, 11, 22], x * 8 + 0.5);
        if (Math.hypot((x + 0.014) * 1.2, v - 0.972) < 0.03) c = mix([150, 112, 84], [34, 26, 30], (x + 0.03) * 22);
    }
    const lantern = Math.hypot(u - 0.54, (v - 1.15) * 0.8);
    if (lantern < 0.02) c = [255, 236, 176];
    c = mix(c, lamp, Math.exp(-lantern * 11) * 0.62);
    const mist = Math.exp(-Math.pow((v - 1.3 - 0.03 * Math.sin(u * 6 + 1)) * 9, 2)) * (0.28 + 0.12 * Math.sin(u * 15));
    return mix(c, [148, 166, 186], mist);
}

/** Paints the portrait of a demo card: 400 × 600. `mood` sets the sky and the light. */
export function paintTower(mood: 'night' | 'dawn'): Painting {
    const width = 400;
    const height = 600;
    const sky: Colour = mood === 'night' ? [46, 74, 112] : [168, 96, 92];
    const lamp: Colour = mood === 'night' ? [255, 190, 104] : [160, 226, 214];
    const rgb = new Uint8Array(width * height * 3);
    for (let y = 0; y < height; y += 1) {
        for (let x = 0; x < width; x += 1) {
            rgb.set(colourAt(x / width, y / width, sky, lamp).map((value) => Math.round(Math.min(255, Math.max(0, value)))), (y * width + x) * 3);
        }
    }
    return { width, height, rgb };
}
