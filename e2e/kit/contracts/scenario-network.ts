import { addressOf, parseAddress } from '@shardnode/protocol/address';
import { sign } from '@shardnode/protocol/crypto';
import { bytesToHex, decode, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { type Hash, type OutputReference, outputReferenceCodec } from '@shardnode/protocol/primitives';
import { usesApprovedAssets, valsCodec } from '@shardnode/protocol/script';
import {
  type AssetOutput,
  transactionId,
  type UnsignedTransaction,
  unsignedTransactionCodec,
  type UnlockScript,
} from '@shardnode/protocol/transaction';
import { type SpendableOutput } from '@shardnode/testing/builders';
import { type ContractScenario } from '@shardnode/testing/contract-scenarios';
import { type TestKey } from '@shardnode/testing/keys';
import { valueOfText } from '@shardnode/testing/vm';
import { type Answer, type ApiClient } from '../api-client.js';
import { contractIdOf, deployContract, settle } from '../faucet.js';
import { build, confirmed, outputsOf } from '../transfers.js';
import { type RecordedNames } from './recorded-names.js';
import {
  type ContractForm,
  type Effects,
  generatedOutputs,
  orderedContract,
  orderedEffects,
  type OutputForm,
  recordedContracts,
  recordedEffects,
  type ScenarioBlock,
  type ScenarioContract,
  type ScenarioTransaction,
  storedOutputForm,
  type TokenForm,
  tokenForms,
} from './scenario-forms.js';

interface ValueForm {
  readonly type: string;
  readonly value: string | boolean;
}
interface DetailsForm {
  readonly scriptExecutionOk: boolean;
  readonly contractInputs: readonly unknown[];
  readonly generatedOutputs: readonly {
    readonly address: string;
    readonly attoCoinAmount: string;
    readonly lockTime?: number | string;
    readonly tokens: readonly TokenForm[];
  }[];
}
interface EventsForm {
  readonly events: readonly {
    readonly contractAddress: string;
    readonly eventIndex: number;
    readonly fields: readonly ValueForm[];
  }[];
}
interface StateForm {
  readonly codeHash: string;
  readonly immFields: readonly ValueForm[];
  readonly mutFields: readonly ValueForm[];
  readonly asset: { readonly attoCoinAmount: string; readonly tokens: readonly TokenForm[] };
}

const valueText = ({ type, value }: ValueForm): string => `${type} ${value}`;
const sum = (outputs: readonly AssetOutput[]): bigint => outputs.reduce((total, { amount }) => total + amount, 0n);

/**
 * Scenarios run scripts without the rest of their transactions: nobody gets what the script may not use. Here it goes back to
 * the owner of the first input.
 */
const withChange = (unsigned: UnsignedTransaction, spent: readonly AssetOutput[]): UnsignedTransaction => {
  const { script, gasAmount, gasPrice, fixedOutputs } = unsigned;
  const amount = sum(spent) - sum(fixedOutputs) - BigInt(gasAmount) * gasPrice;
  if (usesApprovedAssets(script!.methods[0]!) || amount === 0n) return unsigned;
  return { ...unsigned, fixedOutputs: [...fixedOutputs, { ...spent[0]!, amount, tokens: [] }] };
};

/** A transaction that the network refuses, or what it leaves once it is confirmed. */
export type ScenarioEnd = { readonly refused: Answer } | { readonly effects: Effects };

/** A scenario on a network: its contracts are deployed, its outputs are paid, and each script is submitted. */
export class ScenarioOnNetwork {
  private readonly outputs = new Map<string, SpendableOutput>();

  constructor(
    private readonly api: ApiClient,
    private readonly scenario: ContractScenario,
    private readonly names: RecordedNames,
    private readonly accounts: {
      /** Deploys the contracts and pays the outputs. */
      readonly funder: TestKey;
      /** By address. */
      readonly owners: ReadonlyMap<string, TestKey>;
    },
  ) {}

  /** The state before the first block. */
  async prepare(): Promise<void> {
    const { contracts, outputs } = this.scenario.initial;
    for (const contract of contracts) this.names.contract(contract.id, await this.deploy(contract));
    const { funder } = this.accounts;
    const destinations = outputs.map(({ output }) => {
      const { address, amount, tokens } = this.stored(output);
      return { address, attoCoinAmount: amount, ...(tokens.length === 0 ? {} : { tokens }) };
    });
    const built = await build(this.api, funder, destinations);
    await settle(this.api, funder, built);
    const paid = outputsOf(built.unsignedTx);
    outputs.forEach(({ ref }, index) => this.outputs.set(ref, paid[index]!));
  }

  private stored(hex: string): OutputForm {
    return storedOutputForm(this.names.here(hex));
  }

  private async deploy({ code, imm, mut, output }: ScenarioContract): Promise<Hash> {
    const { funder } = this.accounts;
    const fields = [imm, mut].map((texts) =>
      bytesToHex(
        encode(
          valsCodec,
          texts.map((text) => valueOfText(this.names.here(text))),
        ),
      ),
    );
    const { amount, tokens } = this.stored(output);
    const { address } = await deployContract(this.api, funder, {
      bytecode: this.scenario.codes[code]!.bytecode + fields.join(''),
      initialAttoCoinAmount: amount,
      ...(tokens.length === 0 ? {} : { initialTokenAmounts: tokens }),
    });
    return contractIdOf(address);
  }

  /** Submits the script; waits for its block if the network accepts it. */
  async run(form: ScenarioTransaction): Promise<ScenarioEnd> {
    const { unsigned, signers } = this.transactionOf(form);
    const txId = transactionId(unsigned);
    const unsignedTx = bytesToHex(encode(unsignedTransactionCodec, unsigned));
    const signatures = signers.map(({ privateKey }) => bytesToHex(sign(hexToBytes(txId), privateKey)));
    const answer = await (signatures.length === 1
      ? this.api.send('POST', '/transactions/submit', { body: { unsignedTx, signature: signatures[0] } })
      : this.api.send('POST', '/multisig/submit', { body: { unsignedTx, signatures } }));
    if (answer.status !== 200) return { refused: answer };
    await confirmed(this.api, txId);
    const effects = await this.effectsOf(txId);
    this.nameContracts(form, effects);
    return { effects: orderedEffects(effects) };
  }

  /** The recorded transaction with the names, outputs and keys of this network, and who signs it. */
  private transactionOf({ unsignedTx }: ScenarioTransaction) {
    const recorded = decode(unsignedTransactionCodec, hexToBytes(unsignedTx));
    const spent = recorded.inputs.map(({ outputReference }) => this.outputInPlaceOf(outputReference));
    const owners = spent.map(({ output }) => this.accounts.owners.get(addressOf(output.lockupScript))!);
    const inputs = spent.map(({ reference }, index) => {
      const own = owners[index]!;
      const unlockScript: UnlockScript =
        owners[index - 1] === own ? { kind: 'sameAsPrevious' } : { kind: 'p2pkh', publicKey: own.publicKey };
      return { outputReference: reference, unlockScript };
    });
    const named = decode(unsignedTransactionCodec, hexToBytes(this.names.here(unsignedTx)));
    const unsigned = withChange(
      { ...named, inputs },
      spent.map(({ output }) => output),
    );
    return { unsigned, signers: owners.filter((own, index) => owners[index - 1] !== own) };
  }

  private outputInPlaceOf(recorded: OutputReference): SpendableOutput {
    return this.outputs.get(bytesToHex(encode(outputReferenceCodec, recorded)))!;
  }

  private async effectsOf(txId: string): Promise<Effects> {
    const details = await this.api.get<DetailsForm>(`/transactions/details/${txId}`);
    if (!details.scriptExecutionOk) throw new Error(`the script of ${txId} fails in its block`);
    const { events } = await this.api.get<EventsForm>(`/events/tx-id/${txId}?group=${this.scenario.group}`);
    return {
      contractInputs: details.contractInputs.length,
      outputs: details.generatedOutputs.map(({ address, attoCoinAmount, lockTime, tokens }) => ({
        address,
        amount: String(attoCoinAmount),
        lockTime: Number(lockTime ?? 0),
        tokens: tokenForms(tokens),
      })),
      events: events.map(({ contractAddress, eventIndex, fields }) => ({
        contract: contractAddress,
        index: eventIndex,
        fields: fields.map(valueText),
      })),
    };
  }

  /** Of the contracts that a transaction has created; their outputs are in the recorded order. */
  private nameContracts(form: ScenarioTransaction, { outputs }: Effects): void {
    generatedOutputs(form).forEach((output, index) => {
      if (output.kind !== 'contract' || this.names.knows(output.contractId)) return;
      const here = parseAddress(outputs[index]?.address ?? '');
      if (here?.kind === 'p2c') this.names.contract(output.contractId, here.contractId);
    });
  }

  /** The recorded effects in the names of this network. */
  expectedEffects(form: ScenarioTransaction): Effects {
    return orderedEffects(this.named(recordedEffects(form)));
  }

  /** The contracts that a block changes, as recorded, in the names of this network. */
  expectedContracts(block: ScenarioBlock): readonly ContractForm[] {
    return this.named(recordedContracts(block)).map(orderedContract);
  }

  /** Texts that the reason of a failed script contains, in this order. */
  expectedReason({ text = '' }: ScenarioTransaction): readonly string[] {
    return this.names.partsHere(text);
  }

  async contractAt(address: string): Promise<ContractForm> {
    const { status, text } = await this.api.send('GET', `/contracts/${address}/state`);
    if (status !== 200) return { address, status };
    const { codeHash, immFields, mutFields, asset } = JSON.parse(text) as StateForm;
    return orderedContract({
      address,
      codeHash,
      imm: immFields.map(valueText),
      mut: mutFields.map(valueText),
      amount: asset.attoCoinAmount,
      tokens: tokenForms(asset.tokens),
    });
  }

  private named<Form>(form: Form): Form {
    return JSON.parse(this.names.here(JSON.stringify(form))) as Form;
  }
}
