import { parseAddress } from '@shardnode/protocol/address';
import { type Hash, type LockupScript } from '@shardnode/protocol/primitives';
import { type Instruction, type Val } from '@shardnode/protocol/script';
import {
  address,
  approveCoin,
  approveToken,
  bool,
  byteVec,
  callMethod,
  sampleBytecode,
  sampleCode,
  type SampleContract,
  scriptHex,
  scriptOf,
  u256,
} from '@shardnode/testing/sample-contracts';
import { oneCoin } from '../transfers.js';
import { type BuiltScript, type ContractSender, type End } from './contract-sender.js';

const executePath = '/contracts/unsigned-tx/execute-script';
const deployPath = '/contracts/unsigned-tx/deploy-contract';

const contractIdOf = (text: string): Hash => {
  const lockup = parseAddress(text);
  if (lockup?.kind !== 'p2c') throw new Error(`not the address of a contract: ${text}`);
  return lockup.contractId;
};

/** A script, and what it may use. Amounts in attoCoin. */
interface Run {
  readonly instructions: readonly Instruction[];
  readonly coin?: bigint;
  readonly tokens?: readonly { readonly id: Hash; readonly amount: bigint }[];
}

/** Something that a sender does with its contracts; its name is counted. */
export interface Step {
  readonly name: string;
  readonly run: () => Promise<End | undefined>;
}

/** How many of each step were brought to a confirmed end. */
export type StepCounts = Map<string, number>;

const tokenAmount = 100_000n;
/** What the load gives a contract at a time, and what its outputs need. */
const tenth = oneCoin / 10n;

/** The contracts of one sender, and all that it can do with them. One at a time: it knows what state they are in. */
export class ContractLife {
  private counter: Hash | undefined;
  private vault: Hash | undefined;
  private parent: Hash | undefined;
  private migrating: { readonly id: Hash; code: 'Old' | 'New' } | undefined;
  private child: string | undefined;
  private paths = 0;
  private coins = 0;
  private tokens = 0n;

  constructor(
    private readonly sender: ContractSender,
    /** Of a Counter that several senders of the group call. */
    private readonly shared: () => Hash | undefined,
    private readonly random: () => number,
  ) {}

  /** Deploys what the other steps need. Gives the id of its Counter, whose token the sender owns. */
  async begin(): Promise<Hash | undefined> {
    const issued = { issueTokenAmount: tokenAmount.toString(), issueTokenTo: this.sender.key.address };
    this.counter = await this.deploy('Counter', [u256(3)], [u256(10), u256(0)], issued);
    this.vault = await this.deploy('Vault', [address(this.own)], [u256(0)]);
    const template = await this.deploy('Child', [byteVec('')], [u256(0)]);
    if (template !== undefined) this.parent = await this.deploy('Parent', [byteVec(template)], [u256(0)]);
    const old = await this.deploy('Old', [address(this.own)], [u256(1)]);
    this.migrating = old === undefined ? undefined : { id: old, code: 'Old' };
    return this.counter;
  }

  /** One of the steps that are possible now, by chance. */
  next(): Step {
    const possible = this.steps().filter((step) => step !== undefined);
    return possible[Math.floor(this.random() * possible.length)]!;
  }

  private get own(): LockupScript {
    return this.sender.key.lockupScript;
  }

  private steps(): (Step | undefined)[] {
    const { counter, vault, parent, migrating, child } = this;
    const shared = this.shared();
    return [
      counter === undefined ? undefined : this.step('change of fields', () => this.call(counter, 0, [u256(2)], 1)),
      shared === undefined ? undefined : this.step('shared contract', () => this.call(shared, 0, [u256(1)], 1)),
      counter === undefined ? undefined : this.step('failing script', () => this.fail(counter)),
      { name: 'creation and destruction', run: () => this.createAndDestroy() },
      { name: 'race', run: () => this.race() },
      ...(vault === undefined ? [] : this.vaultSteps(vault)),
      ...(parent === undefined ? [] : this.childSteps(parent, child)),
      migrating && { name: 'migration', run: () => this.migrate(migrating) },
      migrating && this.step('call after migration', () => this.call(migrating.id, 0, [])),
    ];
  }

  private vaultSteps(vault: Hash): (Step | undefined)[] {
    const { own, counter, coins, tokens } = this;
    const amount = 7n + BigInt(Math.floor(this.random() * 90));
    const deposit: Run = {
      instructions: [...approveCoin(own, tenth), ...callMethod(vault, 0, [address(own), u256(tenth)])],
      coin: tenth,
    };
    const depositTokens = (id: Hash): Run => ({
      instructions: [
        ...approveToken(own, id, amount),
        ...callMethod(vault, 1, [address(own), byteVec(id), u256(amount)]),
      ],
      coin: tenth,
      tokens: [{ id, amount }],
    });
    const withdrawTokens = (id: Hash): Run => ({
      instructions: callMethod(vault, 3, [address(own), byteVec(id), u256(tokens)]),
      coin: tenth,
    });
    const after = (change: () => void, run: Run) => async (): Promise<End | undefined> => {
      const end = await this.execute(run);
      if (end === 'confirmed') change();
      return end;
    };
    return [
      { name: 'deposit', run: after(() => (this.coins += 1), deposit) },
      coins === 0
        ? undefined
        : {
            name: 'withdrawal',
            run: after(() => (this.coins -= 1), {
              instructions: callMethod(vault, 2, [address(own), u256(tenth)]),
            }),
          },
      counter === undefined
        ? undefined
        : { name: 'deposit of tokens', run: after(() => (this.tokens += amount), depositTokens(counter)) },
      counter === undefined || tokens === 0n
        ? undefined
        : { name: 'withdrawal of tokens', run: after(() => (this.tokens = 0n), withdrawTokens(counter)) },
    ];
  }

  private childSteps(parent: Hash, child: string | undefined): (Step | undefined)[] {
    const { own } = this;
    if (child === undefined) {
      const path = (this.paths++ % 3).toString(16).padStart(4, 'a');
      const instructions = [
        ...approveCoin(own, oneCoin),
        ...callMethod(parent, 0, [address(own), byteVec(path), u256(5)], 1),
      ];
      const make = async (): Promise<End | undefined> => {
        const end = await this.execute({ instructions, coin: oneCoin });
        if (end === 'confirmed') this.child = path;
        return end;
      };
      return [{ name: 'sub-contract', run: make }];
    }
    const close = async (): Promise<End | undefined> => {
      const end = await this.call(parent, 3, [byteVec(child), address(own)]);
      if (end === 'confirmed') this.child = undefined;
      return end;
    };
    const value = Math.floor(this.random() * 1_000_000);
    return [
      this.step('call of a sub-contract', () => this.call(parent, 2, [byteVec(child), u256(value)])),
      { name: 'destruction of a sub-contract', run: close },
    ];
  }

  private step(name: string, run: Step['run']): Step {
    return { name, run };
  }

  /** The builder tells that the script fails, before anything is sent. */
  private async fail(counter: Hash): Promise<End | undefined> {
    const built = await this.buildRun({ instructions: callMethod(counter, 1, [u256(1)]) }, true);
    return built ? this.sender.send(built, true) : 'confirmed';
  }

  private async migrate(contract: { readonly id: Hash; code: 'Old' | 'New' }): Promise<End | undefined> {
    const to = contract.code === 'Old' ? 'New' : 'Old';
    const end = await this.call(contract.id, 1, [byteVec(sampleCode(to))]);
    if (end === 'confirmed') contract.code = to;
    return end;
  }

  private async createAndDestroy(): Promise<End | undefined> {
    const id = await this.deploy('Simple', [u256(7)], [bool(true)]);
    if (id === undefined) return undefined;
    if ((await this.call(id, 0, [])) !== 'confirmed') return undefined;
    return this.call(id, 2, [address(this.own)]);
  }

  /** A call and the destruction of the same contract, both built before either is sent: one may fail in its block. */
  private async race(): Promise<End | undefined> {
    const id = await this.deploy('Simple', [u256(7)], [bool(false)], {
      issueTokenAmount: '5',
      initialAttoCoinAmount: (2n * oneCoin).toString(),
    });
    if (id === undefined) return undefined;
    const destruction = await this.buildRun({ instructions: callMethod(id, 2, [address(this.own)]) });
    const call = await this.buildRun({ instructions: callMethod(id, 0, []) });
    if (!destruction || !call) return undefined;
    const ends = await Promise.all([this.sender.send(destruction, true), this.sender.send(call, true)]);
    return ends.includes('confirmed') ? 'confirmed' : ends[0];
  }

  private async call(id: Hash, method: number, args: readonly Val[], results = 0): Promise<End | undefined> {
    return this.execute({ instructions: callMethod(id, method, args, results) });
  }

  private async execute(run: Run): Promise<End | undefined> {
    const built = await this.buildRun(run);
    return built && this.sender.send(built);
  }

  private buildRun({ instructions, coin, tokens = [] }: Run, mayRefuse = false): Promise<BuiltScript | undefined> {
    const bytecode = scriptHex(scriptOf(instructions, coin === undefined ? 'without assets' : 'with assets'));
    const listed = tokens.map(({ id, amount }) => ({ id, amount: amount.toString() }));
    const assets = coin === undefined ? {} : { attoCoinAmount: coin.toString(), tokens: listed };
    return this.sender.build(executePath, { bytecode, ...assets }, mayRefuse);
  }

  private async deploy(
    name: SampleContract,
    immutable: readonly Val[],
    mutable: readonly Val[],
    more: object = {},
  ): Promise<Hash | undefined> {
    const built = await this.sender.build(deployPath, { bytecode: sampleBytecode(name, immutable, mutable), ...more });
    if (built?.contractAddress === undefined) return undefined;
    const end = await this.sender.send(built);
    return end === 'confirmed' ? contractIdOf(built.contractAddress) : undefined;
  }
}
