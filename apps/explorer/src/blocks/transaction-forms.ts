import { bytesToHex } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import { type Token } from '@shardnode/protocol/transaction';
import {
  type AssetOutputAnswer,
  type InputAnswer,
  type OutputAnswer,
  type TokenAnswer,
} from '../answers/transactions.js';
import { type InputRow, type OutputRow } from './block-rows.js';
import { expandUnlockScripts, isSameAsPreviousByte } from './unlock-addresses.js';

/** The members of an input that describe the output that it spends (protocol 08 §5.4). */
export type SpentOutput = Pick<InputAnswer, 'txHashRef' | 'address' | 'attoCoinAmount' | 'tokens'>;

export const tokenForms = (tokens: readonly Token[]): TokenAnswer[] =>
  tokens.map(({ id, amount }) => ({ id, amount: amount.toString() }));

/** Inputs of a transaction that is not applied; the outputs that they spend by their keys, where they are known. */
export const inputForms = (rows: readonly InputRow[], spent: ReadonlyMap<Hash, SpentOutput>): InputAnswer[] => {
  const scripts = expandUnlockScripts(
    rows.map(({ unlockScript }) => unlockScript),
    (script) => script === undefined || isSameAsPreviousByte(script),
  );
  return rows.map(({ key, hint, isContract, signer }, i) => ({
    outputRef: { hint, key },
    ...(isContract ? {} : { unlockScript: bytesToHex(scripts[i]!) }),
    ...(spent.get(key) ?? (signer?.address === undefined ? {} : { address: signer.address })),
    contractInput: isContract,
  }));
};

const commonForm = ({ key, hint, address, amount, tokens }: OutputRow) => ({
  hint,
  key,
  attoCoinAmount: amount.toString(),
  address,
  ...(tokens.length === 0 ? {} : { tokens: tokenForms(tokens) }),
});

/** The output of an address, of a transaction that is not applied. */
export const assetOutputForm = (row: OutputRow): AssetOutputAnswer => ({
  type: 'AssetOutput',
  ...commonForm(row),
  ...(row.lockTime === undefined ? {} : { lockTime: Number(row.lockTime) }),
  message: bytesToHex(row.message!),
  fixedOutput: row.isFixed,
});

/** The output of a transaction that is not applied. */
export const outputForm = (row: OutputRow): OutputAnswer =>
  row.isContract ? { type: 'ContractOutput', ...commonForm(row), fixedOutput: row.isFixed } : assetOutputForm(row);
