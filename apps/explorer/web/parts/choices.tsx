interface ChoicesProps<Value> {
  readonly label: string;
  readonly values: readonly (readonly [Value, string])[];
  /** Undefined: none. */
  readonly chosen: Value | undefined;
  readonly onChoose: (value: Value) => void;
}

/** Buttons of which one is pressed. */
export const Choices = <Value extends string | number>({
  label,
  values,
  chosen: current,
  onChoose,
}: ChoicesProps<Value>) => (
  <div class="choices" role="group" aria-label={label}>
    {values.map(([value, text]) => (
      <button key={value} type="button" aria-pressed={value === current} onClick={() => onChoose(value)}>
        {text}
      </button>
    ))}
  </div>
);
