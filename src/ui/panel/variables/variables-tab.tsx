export function VariablesTab() {
    return <p class="na-empty">…</p>;
}
