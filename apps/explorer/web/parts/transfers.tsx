import { useSignal } from '@preact/signals';
import { type ComponentChildren, type VNode } from 'preact';
import { type Input, type Output } from '../store/forms.js';
import { groups, now } from '../store/network.js';
import {
  type AnyTransaction,
  areSendersKnown,
  gathered,
  groupOfPart,
  isChange,
  isComplete,
  tokensOf,
  totalOf,
} from '../store/payments.js';
import { texts } from '../texts.js';
import { Card } from './card.js';
import { AddressLink, GroupBadge, TransactionLink } from './links.js';
import { count, utc } from './numbers.js';
import { messageText } from './plain-text.js';
import { Amount } from './values.js';

const groupOf = (part: Input | Output, transaction: AnyTransaction): number =>
  groupOfPart(part, transaction, groups.value);

/** The groups of all addresses of a transaction. */
export const groupsOfAddresses = (transaction: AnyTransaction): ReadonlyMap<string, number> =>
  new Map(
    [...transaction.inputs, ...transaction.outputs].flatMap((part) =>
      part.address === undefined ? [] : [[part.address, groupOf(part, transaction)] as const],
    ),
  );

/** Amounts of one or several parts; undefined coins: not known yet. */
const Held = ({ parts }: { readonly parts: readonly (Input | Output)[] }) => (
  <div class="number">
    {parts.some(({ attoCoinAmount }) => attoCoinAmount === undefined) ? (
      <span class="quiet">{texts.transaction.unknownAmount}</span>
    ) : (
      <Amount amount={totalOf(parts)} />
    )}
    {tokensOf(parts).map(({ id, amount }) => (
      <p key={id}>
        <Amount amount={BigInt(amount)} token={id} />
      </p>
    ))}
  </div>
);

type Tag = string | false;

interface EntryProps<Part> {
  /** Of one address, with equal tags. */
  readonly parts: readonly Part[];
  readonly transaction: AnyTransaction;
  readonly tags: readonly Tag[];
  /** Before the address of several: `30 outputs to`. */
  readonly several: (count: number) => string;
  readonly notesOf: (part: Part) => ComponentChildren;
}

/** Several parts one by one, when somebody asks for them. On paper they always are there. */
const Each = <Part extends Input | Output>({ parts, notesOf }: Pick<EntryProps<Part>, 'parts' | 'notesOf'>) => {
  const isOpen = useSignal(false);
  return (
    <>
      <button
        type="button"
        class="button small whole"
        aria-expanded={isOpen.value}
        onClick={() => void (isOpen.value = !isOpen.value)}
      >
        {texts.transaction.each}
      </button>
      <ul class="gathered" hidden={!isOpen.value}>
        {parts.map((part, place) => (
          <li key={place}>
            <p class="quiet">{notesOf(part)}</p>
            <Held parts={[part]} />
          </li>
        ))}
      </ul>
    </>
  );
};

const Entry = <Part extends Input | Output>({ parts, transaction, tags, several, notesOf }: EntryProps<Part>) => {
  const part = parts[0]!;
  return (
    <li class="entry">
      <GroupBadge group={groupOf(part, transaction)} />
      <div>
        {parts.length > 1 && <>{several(parts.length)} </>}
        {part.address === undefined ? (
          <span class="quiet">{texts.transaction.unknown}</span>
        ) : (
          <AddressLink id={part.address} first={8} last={8} />
        )}
        {tags.map((tag) => tag !== false && <span class="tag">{tag}</span>)}
        {parts.length === 1 && <p class="quiet">{notesOf(part)}</p>}
      </div>
      <Held parts={parts} />
      {parts.length > 1 && <Each parts={parts} notesOf={notesOf} />}
    </li>
  );
};

/** So many parts of one address are one row. */
const fewestGathered = 3;

/** Parts as rows, in their order: many of one address with the same tags are one, in the place of the first. */
const rowsOf = <Part extends Input | Output>(
  parts: readonly Part[],
  tagsOf: (part: Part) => readonly Tag[],
): readonly (readonly Part[])[] => {
  const known = parts.filter(({ address }) => address !== undefined);
  const many = gathered(known, (part) => [part.address, ...tagsOf(part)].join()).filter(
    ({ length }) => length >= fewestGathered,
  );
  const rowOf = new Map(many.flatMap((row) => row.map((part) => [part, row] as const)));
  return [...new Set(parts.map((part) => rowOf.get(part) ?? [part]))];
};

/** Rows of a list before somebody asks for all of them. */
const mostEntries = 12;

/** The rows; of many the first ones until all are asked for. On paper there are always all. */
const Entries = ({
  children,
  words,
}: {
  readonly children: readonly VNode[];
  /** Of the button that shows all. */
  readonly words: string;
}) => {
  const isWhole = useSignal(false);
  const isCut = children.length > mostEntries && !isWhole.value;
  return (
    <>
      <ul class={`entries ${isCut ? 'cut' : ''}`}>{children}</ul>
      {isCut && (
        <button type="button" class="button small whole" onClick={() => void (isWhole.value = true)}>
          {words}
        </button>
      )}
    </>
  );
};

const Sum = ({ parts }: { readonly parts: readonly (Input | Output)[] }) => (
  <span class="quiet">
    {count(parts.length)} · <Amount amount={totalOf(parts)} />
  </span>
);

const InputNotes = ({ input: { txHashRef } }: { readonly input: Input }) =>
  txHashRef === undefined ? null : (
    <>
      {texts.transaction.madeIn} <TransactionLink id={txHashRef} />
    </>
  );

const inputTags = ({ contractInput }: Input): readonly Tag[] => [contractInput && texts.transaction.contract];

const inputRows = ({ inputs }: AnyTransaction): readonly (readonly Input[])[] => rowsOf<Input>(inputs, inputTags);

export const InputList = ({ transaction }: { readonly transaction: AnyTransaction }) => {
  const { inputs } = transaction;
  return (
    <Card
      title={texts.transaction.inputs}
      aside={inputs.length > 0 && isComplete(transaction) && <Sum parts={inputs} />}
    >
      {inputs.length === 0 && <p class="quiet">{texts.transaction.noInputs}</p>}
      <Entries words={texts.transaction.allInputs(inputs.length)}>
        {inputRows(transaction).map((parts) => (
          <Entry
            key={parts[0]!.outputRef.key}
            parts={parts}
            transaction={transaction}
            tags={inputTags(parts[0]!)}
            several={texts.transaction.inputsOf}
            notesOf={(input) => <InputNotes input={input} />}
          />
        ))}
      </Entries>
    </Card>
  );
};

const OutputNotes = ({ output }: { readonly output: Output }) => {
  const { lockTime, message = '', spent } = output;
  return (
    <>
      {spent === undefined ? (
        texts.transaction.unspent
      ) : (
        <>
          {texts.transaction.spentIn} <TransactionLink id={spent} />
        </>
      )}
      {lockTime !== undefined && lockTime > now.value && <> · {texts.transaction.locked(utc(lockTime))}</>}
      {message !== '' && (
        <>
          {' '}
          · {texts.transaction.message} “<bdi>{messageText(message)}</bdi>”
        </>
      )}
    </>
  );
};

const receiverTag = (transaction: AnyTransaction, output: Output): Tag => {
  if (transaction.inputs.length === 0 || !areSendersKnown(transaction)) return false;
  return isChange(transaction, output) ? texts.transaction.change : texts.transaction.receiverTag;
};

const outputTags = (transaction: AnyTransaction, output: Output): readonly Tag[] => [
  receiverTag(transaction, output),
  output.type === 'ContractOutput' && texts.transaction.contract,
  !output.fixedOutput && texts.transaction.generated,
];

const outputRows = (transaction: AnyTransaction): readonly (readonly Output[])[] =>
  rowsOf<Output>(transaction.outputs, (output) => outputTags(transaction, output));

export const OutputList = ({ transaction }: { readonly transaction: AnyTransaction }) => {
  const { outputs } = transaction;
  return (
    <Card title={texts.transaction.outputs} aside={isComplete(transaction) && <Sum parts={outputs} />}>
      <Entries words={texts.transaction.allOutputs(outputs.length)}>
        {outputRows(transaction).map((parts) => (
          <Entry
            key={parts[0]!.key}
            parts={parts}
            transaction={transaction}
            tags={outputTags(transaction, parts[0]!)}
            several={texts.transaction.outputsTo}
            notesOf={(output) => <OutputNotes output={output} />}
          />
        ))}
      </Entries>
    </Card>
  );
};

const unevenFrom = 3;

/** Whether both lists are about as long at first: then their cards are, too. */
export const areListsEven = (transaction: AnyTransaction): boolean => {
  const [inputs, outputs] = [inputRows(transaction), outputRows(transaction)].map(({ length }) =>
    Math.min(length, mostEntries),
  );
  return Math.abs(inputs! - outputs!) < unevenFrom;
};
