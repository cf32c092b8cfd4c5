import { type Instruction, instructions, type Method } from '@shardnode/protocol/script';
import { type BlockEnvironment, type TransactionEnvironment } from '@shardnode/protocol/vm';

const codes = new Map(instructions.map(({ name, code }) => [name, code]));

/** An instruction by its name in the table; throws for an unknown name. */
export const instruction = (name: string, operand?: Instruction['operand']): Instruction => {
  const code = codes.get(name);
  if (code === undefined) throw new RangeError(`no instruction is called ${name}`);
  return operand === undefined ? { code } : { code, operand };
};

/** The instructions of `part`, repeated `count` times. */
export const repeated = (count: number, part: readonly Instruction[]): Instruction[] =>
  Array.from({ length: count }, () => part).flat();

/** A method of these instructions: public, without arguments, locals, results and assets unless `shape` says otherwise. */
export const methodOf = (body: readonly Instruction[], shape: Partial<Omit<Method, 'instructions'>> = {}): Method => ({
  isPublic: true,
  assetModifier: 0,
  argsLength: 0,
  localsLength: 0,
  returnLength: 0,
  ...shape,
  instructions: body,
});

/** A block for runs of scripts: no main network, an hour of 2023, group 0. */
export const blockEnvironment: BlockEnvironment = {
  networkId: 4,
  timestamp: 1_700_000_000_000n,
  target: 1n << 200n,
  blockHash: 'b1'.repeat(32),
  group: 0,
};

/** A transaction for runs of scripts, with the largest gas amount and no inputs. */
export const transactionEnvironment: TransactionEnvironment = {
  id: 'd1'.repeat(32),
  gasPrice: 10n ** 11n,
  gasAmount: 625_000,
  inputs: [],
  fixedOutputs: [],
};
