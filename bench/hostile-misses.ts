import { encode } from '@shardnode/protocol/encoding';
import { maximalGasPerTx } from '@shardnode/protocol/primitives';
import { type Instruction, type StatefulScript, u256Constant } from '@shardnode/protocol/script';
import { transactionTemplateCodec } from '@shardnode/protocol/transaction';
import { buildSignedTransfer, instruction as op, methodOf } from '@shardnode/testing/builders';
import { crowdedNetwork } from './crowded-chain.js';
import { type Row } from './rows.js';
import { openAt, silentNode, type DatabasePlace } from './silent-node.js';
import { genesisOutputs, owners } from './transfer-chain.js';

/** Texts of large numbers, the slowest instruction for its gas. */
const slowPart: readonly Instruction[] = [u256Constant(2n ** 256n - 1n), op('U256ToString'), op('Pop')];

/** Runs `body` as often as local variable 0 says. */
const loop = (body: readonly Instruction[]): Instruction[] => {
  const whole = [...body, op('LoadLocal', 0), u256Constant(1n), op('U256Sub'), op('Dup'), op('StoreLocal', 0)];
  return [...whole, op('U256Const0'), op('U256Gt'), op('IfTrue', -(whole.length + 3))];
};

const counted = (count: number, body: readonly Instruction[]): Instruction[] => [
  u256Constant(BigInt(count)),
  op('StoreLocal', 0),
  ...loop(body),
];

/** Half of its gas is for slow instructions, the rest for lookups of unknown contracts; each is a miss. */
const hostileScript = (slow: number, questions: number): StatefulScript => {
  const ask = [op('LoadLocal', 0), op('U256To32Byte'), op('Blake2b'), op('ContractExists'), op('Pop')];
  const body = [...counted(slow, slowPart), ...counted(questions, ask)];
  return { methods: [methodOf(body, { localsLength: 1 })] };
};

/** Dry runs of such a script by a node that has nothing in memory, `place` with a crowd of contracts. */
export const hostileMissesRow = async (place: DatabasePlace): Promise<Row> => {
  const { node, close } = await silentNode(crowdedNetwork, await openAt(place));
  const spend = [genesisOutputs(crowdedNetwork)[0]!];
  const questions = 330;
  const { unsigned, inputSignatures, scriptSignatures } = buildSignedTransfer({
    settings: crowdedNetwork,
    from: owners[0]!,
    spend,
    outputs: [],
    script: hostileScript(5_000, questions),
    gasAmount: maximalGasPerTx,
  });
  const template = { unsigned, inputSignatures, scriptSignatures };
  encode(transactionTemplateCodec, template);
  const [began, processor] = [performance.now(), process.cpuUsage()];
  const { refusal: verdict } = await node.submission.verdict(template);
  const elapsed = performance.now() - began;
  const { user, system } = process.cpuUsage(processor);
  const again = performance.now();
  await node.submission.verdict(template);
  const warm = performance.now() - again;
  await close();
  if (verdict) throw new Error(`a script that asks for contracts is ${JSON.stringify(verdict)}`);
  return {
    row: `a script that asks for ${questions} contracts that are not in memory`,
    figure: `${elapsed.toFixed(0)} ms`,
    beside: `${((user + system) / 1000).toFixed(0)} ms of processor; ${warm.toFixed(0)} ms again`,
  };
};
