import { texts } from '../texts.js';
import { areKeysOn, switchKeys } from './keys.js';
import { Switch } from './switch.js';
import { areTimesAbsolute, switchTimes } from './times.js';

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
