import { type AssetLockupScript, dustAmount } from '../primitives/index.js';
import { type AssetOutput, type Token } from '../transaction/index.js';

const noData = new Uint8Array(0);

/**
 * The outputs of what an asset owner holds: one for each token with the dust amount of coin, then the rest of the coin
 * (protocol 05 §11.3). Undefined when the coin does not suffice for these outputs. `coin` in attoCoin, `tokens` in
 * output order, `lockTime` in milliseconds.
 */
export const assetOutputsOf = (
  lockupScript: AssetLockupScript,
  coin: bigint,
  tokens: readonly Token[],
  lockTime = 0n,
): AssetOutput[] | undefined => {
  const rest = coin - dustAmount * BigInt(tokens.length);
  if (rest < 0n || (rest > 0n && rest < dustAmount)) return undefined;
  const output = (amount: bigint, held: readonly Token[]): AssetOutput => ({
    kind: 'asset',
    amount,
    lockupScript,
    lockTime,
    tokens: held,
    additionalData: noData,
  });
  const outputs = tokens.map((token) => output(dustAmount, [token]));
  if (rest > 0n) outputs.push(output(rest, []));
  return outputs;
};
