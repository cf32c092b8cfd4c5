import { fields, list } from '../leaf.js';
import { assetAddress } from '../texts.js';
import { flag, text } from './answer-leaves.js';

/** Protocol 07 §13. */
export const minerAnswers = () => ({
  miningSwitched: flag('Always true', true),
  minerAddresses: fields(
    { addresses: list(text(assetAddress), 'addresses, one for each group in order') },
    { description: 'Who is paid for blocks', id: 'MinerAddresses' },
  ),
});
