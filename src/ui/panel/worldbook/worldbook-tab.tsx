export function WorldbookTab() {
    return <p class="na-empty">…</p>;
}
