import { texts } from '../texts.js';
import { areKeysOn, switchKeys } from './keys.js';
import { areTimesAbsolute, switchTimes } from './times.js';

interface SwitchProps {
  readonly name: string;
  readonly hint: string;
  readonly isOn: boolean;
  readonly onSwitch: () => void;
}

const Switch = ({ name, hint, isOn, onSwitch }: SwitchProps) => (
  <label class="switch">
    <input type="checkbox" role="switch" checked={isOn} onChange={onSwitch} />
    <span>
      {name}
      <small class="quiet">{hint}</small>
    </span>
  </label>
);

/** What people choose for themselves; the browser remembers it. */
export const Settings = () => {
  const words = texts.frame;
  return (
    <div class="settings">
      <Switch
        name={words.absoluteTimes}
        hint={words.absoluteTimesHint}
        isOn={areTimesAbsolute.value}
        onSwitch={switchTimes}
      />
      <Switch name={words.singleKeys} hint={words.singleKeysHint} isOn={areKeysOn.value} onSwitch={switchKeys} />
    </div>
  );
};
