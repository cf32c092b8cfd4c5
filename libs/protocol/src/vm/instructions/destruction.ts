import { checkPayee, isInCallerTrace } from '../caller-trace.js';
import { currentContract, sessionOf } from '../contract-session.js';
import { type InstructionImplementations } from '../execute.js';
import { fail } from '../failure.js';
import { returnAtOnce } from '../frames.js';
import { type Machine } from '../machine.js';
import { logDestruction } from '../system-events.js';

/** protocol 05 §10.6 */
const destroySelf = (machine: Machine): void => {
  const { frame } = machine;
  const refund = machine.popAddress();
  checkPayee(machine, refund);
  const { id } = currentContract(machine);
  const caller = frame.caller ?? fail('NoCaller');
  if (isInCallerTrace(caller, id)) fail('ContractDestructionShouldNotBeCalledFromSelf');
  const { remaining } = frame.balances ?? fail('NoBalanceAvailable');
  const own = remaining.takeEntry({ kind: 'p2c', contractId: id }) ?? fail('InvalidBalances');
  const { outputBalances, layer, assets, pool } = sessionOf(machine);
  if (!outputBalances.add({ ...own, lockupScript: refund })) fail('InvalidBalances');
  layer.removeRecord(id);
  assets.flush(id);
  pool.remove(id);
  logDestruction(machine, id);
  returnAtOnce(machine);
};

export const destructionInstructions: InstructionImplementations = { DestroySelf: destroySelf };
