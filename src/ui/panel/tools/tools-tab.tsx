export function ToolsTab() {
    return <p class="na-empty">…</p>;
}
