import { crc32, deflateSync } from 'node:zlib';

/** One chunk of a PNG file: length, type, data, checksum. */
function chunk(type: string, data: Buffer): Buffer {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(crc32(body) >>> 0, body.length + 4);
    return out;
}

/** Encodes RGB pixels (3 bytes each, row by row) as a PNG file with the given text chunks (keyword → latin-1 text). */
export function encodePng(width: number, height: number, rgb: Uint8Array, texts: Record<string, string> = {}): Buffer {
    const header = Buffer.alloc(13);
    header.writeUInt32BE(width, 0);
    header.writeUInt32BE(height, 4);
    header.set([8, 2, 0, 0, 0], 8);
    const rows = Buffer.alloc((width * 3 + 1) * height);
    for (let y = 0; y < height; y += 1) {
        // Filter 1 (difference to the left pixel) suits smooth paintings.
        const row = y * (width * 3 + 1);
        rows[row] = 1;
        for (let x = 0; x < width * 3; x += 1) {
            const at = y * width * 3 + x;
            const left = x >= 3 ? (rgb[at - 3] ?? 0) : 0;
            rows[row + 1 + x] = ((rgb[at] ?? 0) - left) & 255;
        }
    }
    return Buffer.concat([
        Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
        chunk('IHDR', header),
        chunk('IDAT', deflateSync(rows, { level: 9 })),
        ...Object.entries(texts).map(([keyword, text]) => chunk('tEXt', Buffer.from(`${keyword}\0${text}`, 'latin1'))),
        chunk('IEND', Buffer.alloc(0)),
    ]);
}
