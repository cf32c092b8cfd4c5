import { hexToBytes } from '@shardnode/protocol/encoding';
import { executeTransactionScript } from '@shardnode/protocol/vm';
import { blockEnvironment, instruction as op, methodOf, transactionEnvironment } from '@shardnode/testing/builders';
import { MemoryContractState } from '@shardnode/testing/contract-state';
import { idInCrowd, withCrowd } from './contract-crowd.js';
import { isShort, type Row } from './rows.js';

export const contractCount = Number(process.env['BENCH_CONTRACTS'] ?? (isShort ? 3_000 : 1_000_000));
const callsPerRound = 500;
const rounds = isShort ? 20 : 200;

/** A state with so many contracts of the same code. */
const stateWith = (count: number): MemoryContractState => {
  const memory = new MemoryContractState();
  const { state, added, immutable } = withCrowd(memory.nodes, memory.state, count);
  memory.nodes.add(added);
  memory.immutables.add(immutable);
  memory.state = state;
  return memory;
};

/** Microseconds of processor time a call of contract 0, its part of the new state included. */
const roundOn = (state: MemoryContractState): number => {
  const call = [op('U256Const0'), op('U256Const0'), op('BytesConst', hexToBytes(idInCrowd(0))), op('CallExternal', 0)];
  const script = { methods: [methodOf(call)] };
  const began = process.cpuUsage();
  const layer = state.layer();
  for (let i = 0; i < callsPerRound; i++) {
    const outcome = executeTransactionScript({
      block: blockEnvironment,
      transaction: transactionEnvironment,
      layer,
      script,
      gasLimit: 100_000,
      scriptSignatures: [],
      endPhase: 'whole',
    });
    if (outcome.kind !== 'succeeded') throw new Error(`a call is ${outcome.kind}`);
    outcome.layer.keep();
  }
  state.apply(layer.changes());
  const { user, system } = process.cpuUsage(began);
  return (user + system) / callsPerRound;
};

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Calls of one contract over a state in memory, alone and among very many: the machine and the tries, no store. */
export const manyContractsRow = (): Row => {
  const alone = stateWith(1);
  const among = stateWith(contractCount);
  const times: Record<'alone' | 'among', number[]> = { alone: [], among: [] };
  // Alternates, so that both run under the same conditions; the first half warms up the code. A garbage collection
  // every two or three rounds doubles the time of its round. In a fixed order it might always affect the same state,
  // and medians would compare one with and one without. Hence means, and a changing order.
  for (let round = 0; round < 2 * rounds; round++) {
    const turn = () => times.alone.push(roundOn(alone));
    if (round % 2 === 0) turn();
    times.among.push(roundOn(among));
    if (round % 2 === 1) turn();
  }
  const [before, after] = [times.alone, times.among].map((all) => mean(all.slice(rounds))) as [number, number];
  return {
    row: `calls among ${contractCount.toLocaleString('en-US')} contracts in memory, against one alone`,
    figure: `${Math.round((100 * after) / before)} %`,
    bar: '120 %',
    beside: `${after.toFixed(1)} and ${before.toFixed(1)} µs a call, state included`,
  };
};
