interface Props<T extends string> {
    label: string;
    options: readonly { value: T; label: string }[];
    value: T;
    onChange: (value: T) => void;
}

/** A few choices of which one holds, side by side. */
export function Segmented<T extends string>({ label, options, value, onChange }: Props<T>) {
    return (
        <div class="na-segmented" role="group" aria-label={label}>
            {options.map((option) => (
                <button key={option.value} type="button" data-value={option.value} aria-pressed={option.value === value} onClick={() => onChange(option.value)}>
                    {option.label}
                </button>
            ))}
        </div>
    );
}
