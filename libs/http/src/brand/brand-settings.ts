import { choiceSetting, textSetting } from '@shardnode/core/configuration';
import { type Brand, namesOfProfile } from './brand.js';

/** The variables of an API's names, besides `COIN_SYMBOL` of its network. */
export const brandSettings = {
  API_PROFILE: choiceSetting(['document', 'reference'], {
    description:
      'Shapes, texts, names of the coin and version: as documented (`document`), or as existing client libraries of this protocol expect (`reference`).',
    default: 'document',
  }),
  COIN_NAME: textSetting({
    description:
      'Name of the coin, part of the field attoCoinAmount. Default: Coin; with API_PROFILE=reference the name in existing client libraries.',
    pattern: /^[A-Za-z][A-Za-z0-9]*$/,
    expects: 'a word of letters and digits',
    optional: true,
  }),
} as const;

/** Those that the names of the coin follow from. */
export interface NameSettings {
  readonly API_PROFILE: keyof typeof namesOfProfile;
  readonly COIN_NAME: string | undefined;
  readonly COIN_SYMBOL: string | undefined;
}

/** The names of the coin from the settings. */
export const brandOf = ({ API_PROFILE: profile, COIN_NAME: name, COIN_SYMBOL: symbol }: NameSettings): Brand => {
  const { coinName, coinSymbol } = namesOfProfile[profile];
  return { coinName: name ?? coinName, coinSymbol: symbol ?? coinSymbol };
};
