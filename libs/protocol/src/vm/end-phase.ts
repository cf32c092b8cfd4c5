import { minimalContractDeposit } from '../primitives/index.js';
import { type Method, sameVal, usesApprovedAssets, usesContractAssets } from '../script/index.js';
import { type ContractOutput, referenceOf } from '../transaction/index.js';
import { type BalanceEntry } from './balance-list.js';
import { outputsOfEntry } from './balance-outputs.js';
import { type BalanceState } from './balance-state.js';
import { type ContractObject } from './code-object.js';
import { chargeFields } from './contract-code-checks.js';
import { type ContractSession } from './contract-session.js';
import { fail } from './failure.js';
import { contractUpdateGas } from './gas.js';
import { type Machine } from './machine.js';

/** The whole end phase, or that of a gas estimation, without checks of signatures and deposits (protocol 05 §15). */
export type EndPhase = 'whole' | 'estimate';

const hasChanged = ({ mutableFields, loadedMutableFields }: ContractObject): boolean =>
  mutableFields.some((val, index) => !sameVal(val, loadedMutableFields[index]!));

/** protocol 05 §11.1 */
const writeChangedFields = (machine: Machine, { layer, pool }: ContractSession): void => {
  for (const contract of pool.contracts()) {
    if (!hasChanged(contract)) continue;
    machine.charge(contractUpdateGas);
    chargeFields(machine, contract.mutableFields);
    layer.putRecord(contract.id, { ...layer.record(contract.id)!, mutableFields: [...contract.mutableFields] });
  }
};

/** Moves the remaining assets of the entry method to the outputs (protocol 05 §11.2 step 1). */
const mergeEntryBalances = (session: ContractSession, method: Method, balances: BalanceState | undefined): void => {
  if (!usesApprovedAssets(method) && !usesContractAssets(method)) return;
  const { approved, remaining } = balances ?? fail('InvalidBalances');
  if (!session.outputBalances.merge(approved) || !session.outputBalances.merge(remaining)) fail('InvalidBalances');
};

const sameAssets = (a: ContractOutput, b: ContractOutput): boolean =>
  a.amount === b.amount &&
  a.tokens.length === b.tokens.length &&
  a.tokens.every(({ id, amount }, index) => id === b.tokens[index]!.id && amount === b.tokens[index]!.amount);

/** Returns the assets of a contract: an equal old output stays (protocol 05 §11.2 step 2). */
const putBack = (machine: Machine, session: ContractSession, output: ContractOutput): void => {
  const { assets, layer } = session;
  const { contractId } = output;
  const input = assets.inputOf(contractId) ?? fail('ContractAssetUnloaded', contractId);
  if (sameAssets(input.output, output)) return assets.leaveAsItWas(input);
  const outputReference = referenceOf(output, machine.transaction.id, session.nextOutputIndex);
  session.appendOutput(output);
  assets.flush(contractId);
  layer.putOutput(outputReference, output);
  layer.putRecord(contractId, { ...layer.record(contractId)!, outputReference });
};

/** The outputs of one entry of the output balances (protocol 05 §11.2 step 2). */
const generateOutputs = (machine: Machine, session: ContractSession, entry: BalanceEntry): void => {
  const { lockupScript } = entry;
  if (lockupScript.kind === 'p2c' && !session.assets.isLoaded(lockupScript.contractId)) {
    fail('ContractAssetUnloaded', lockupScript.contractId);
  }
  for (const output of outputsOfEntry(entry)) {
    if (output.kind === 'contract') putBack(machine, session, output);
    else session.appendOutput(output);
  }
};

const checkDeposits = ({ generatedOutputs }: ContractSession): void => {
  for (const output of generatedOutputs) {
    if (output.kind === 'contract' && output.amount < minimalContractDeposit) {
      fail('LowerThanContractMinimalBalance', output.amount);
    }
  }
};

/**
 * The phase after the return of the entry method: changed fields, outputs, and the remaining checks (protocol 05 §11).
 * `balances` are those of the entry frame.
 */
export const endTransactionScript = (
  machine: Machine,
  session: ContractSession,
  { method, balances }: { readonly method: Method; readonly balances: BalanceState | undefined },
  extent: EndPhase,
): void => {
  writeChangedFields(machine, session);
  mergeEntryBalances(session, method, balances);
  for (const entry of session.outputBalances.entries()) generateOutputs(machine, session, entry);
  session.assets.checkAllFlushed();
  for (const { reference } of session.assets.inputs) session.layer.removeOutput(reference);
  if (extent === 'estimate') return;
  if (machine.signaturesLeft > 0) fail('TooManySignatures', machine.signaturesLeft);
  checkDeposits(session);
};
