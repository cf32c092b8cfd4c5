import { fields, optional, required } from '../leaf.js';
import { gas, timestamp, uint256 } from '../numbers.js';
import { assetAddress, secretText } from '../texts.js';

/** Protocol 07 §4.12, §4.13, §4.19. */
export const walletMoreRequests = () => ({
  sweep: fields(
    {
      toAddress: required(assetAddress, { description: 'Where everything goes, in any group' }),
      lockTime: optional(timestamp, { description: 'When the receiver may spend it, milliseconds since 1970' }),
      gasAmount: optional(gas, { description: 'Units of gas of each transaction; default: estimated' }),
      gasPrice: optional(uint256, {
        description: 'Smallest units per unit of gas; default 100000000000',
        'x-unit': 'attoCoin per gas',
      }),
    },
    { description: 'Sweep of a wallet', id: 'Sweep' },
  ),
  reveal: fields(
    { password: required(secretText('Password of the wallet')) },
    { description: 'Password', id: 'RevealMnemonic' },
  ),
});
