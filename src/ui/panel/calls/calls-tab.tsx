export function CallsTab() {
    return <p class="na-empty">…</p>;
}
