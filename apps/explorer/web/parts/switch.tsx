interface SwitchProps {
  readonly name: string;
  readonly hint?: string;
  readonly isOn: boolean;
  readonly onSwitch: () => void;
}

/** A choice that is on or off. */
export const Switch = ({ name, hint, isOn, onSwitch }: SwitchProps) => (
  <label class="switch">
    <input type="checkbox" role="switch" checked={isOn} onChange={onSwitch} />
    <span>
      {name}
      {hint !== undefined && <small class="quiet">{hint}</small>}
    </span>
  </label>
);
