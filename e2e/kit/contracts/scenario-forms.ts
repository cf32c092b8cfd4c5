import { addressOf } from '@shardnode/protocol/address';
import { decode, hexToBytes } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import { outputOfStateValue } from '@shardnode/protocol/state';
import { type Output, outputCodec } from '@shardnode/protocol/transaction';
import { type ContractScenario } from '@shardnode/testing/contract-scenarios';

/** Effects of scripts and states of contracts, as a scenario records them and as a network has them, in one form. */

export type ScenarioBlock = ContractScenario['blocks'][number];
export type ScenarioTransaction = ScenarioBlock['txs'][number];
export type ScenarioContract = ContractScenario['initial']['contracts'][number];

export interface TokenForm {
  readonly id: string;
  readonly amount: string;
}
export interface OutputForm {
  readonly address: string;
  /** attoCoin */
  readonly amount: string;
  /** Milliseconds since 1970; 0: not locked. */
  readonly lockTime: number;
  readonly tokens: readonly TokenForm[];
}
interface EventForm {
  readonly contract: string;
  readonly index: number;
  /** Type and value. */
  readonly fields: readonly string[];
}
/** What a transaction with a script leaves. */
export interface Effects {
  readonly contractInputs: number;
  readonly outputs: readonly OutputForm[];
  readonly events: readonly EventForm[];
}
/** A contract that a block has changed. */
export type ContractForm =
  | { readonly address: string; readonly status: number }
  | {
      readonly address: string;
      readonly codeHash: string;
      readonly imm: readonly string[];
      readonly mut: readonly string[];
      readonly amount: string;
      readonly tokens: readonly TokenForm[];
    };

const contractAddress = (contractId: Hash): string => addressOf({ kind: 'p2c', contractId });

export const tokenForms = (
  tokens: readonly { readonly id: string; readonly amount: string | bigint }[],
): readonly TokenForm[] => tokens.map(({ id, amount }) => ({ id, amount: String(amount) }));

const outputForm = (output: Output): OutputForm => ({
  address: output.kind === 'asset' ? addressOf(output.lockupScript) : contractAddress(output.contractId),
  amount: String(output.amount),
  lockTime: output.kind === 'asset' ? Number(output.lockTime) : 0,
  tokens: tokenForms(output.tokens),
});

/** Of an output as the state stores it, in hexadecimal digits. */
export const storedOutputForm = (hex: string): OutputForm => outputForm(outputOfStateValue(hexToBytes(hex)));

export const generatedOutputs = ({ generatedOutputs: texts = [] }: ScenarioTransaction): readonly Output[] =>
  texts.map((hex) => decode(outputCodec, hexToBytes(hex)));

export const recordedEffects = (form: ScenarioTransaction): Effects => ({
  contractInputs: form.contractInputs?.length ?? 0,
  outputs: generatedOutputs(form).map(outputForm),
  events: (form.events ?? []).map(({ contractId, index, fields }) => ({
    contract: contractAddress(contractId),
    index,
    fields,
  })),
});

export const recordedContracts = ({ contractsChanged }: ScenarioBlock): readonly ContractForm[] =>
  contractsChanged.map(({ id, exists, codeHash, imm, mut, output }) => {
    const address = contractAddress(id);
    if (exists === false) return { address, status: 404 };
    const { amount, tokens } = storedOutputForm(output);
    return { address, codeHash, imm, mut, amount, tokens };
  });

const inOneOrder = <Form>(forms: readonly Form[]): readonly Form[] => {
  const textOf = (form: Form): string => JSON.stringify(form);
  return forms.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
};

/** Without an order of tokens: it is that of their ids, which a network does not choose. */
const orderedTokens = <Form extends { readonly tokens: readonly TokenForm[] }>(form: Form): Form => ({
  ...form,
  tokens: inOneOrder(form.tokens),
});

/** Tokens that leave a contract have outputs of their own, in the same order. */
export const orderedEffects = (effects: Effects): Effects => ({
  ...effects,
  outputs: inOneOrder(effects.outputs.map(orderedTokens)),
});

export const orderedContract = (form: ContractForm): ContractForm => ('tokens' in form ? orderedTokens(form) : form);
