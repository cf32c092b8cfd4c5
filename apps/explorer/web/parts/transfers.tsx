import { useSignal } from '@preact/signals';
import { type ComponentChildren, type VNode } from 'preact';
import { type Input, type Output, type TokenAmount } from '../store/forms.js';
import { groups, now } from '../store/network.js';
import { type AnyTransaction, areSendersKnown, groupOfPart, isChange, isComplete, totalOf } from '../store/payments.js';
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

interface EntryProps {
  readonly group: number;
  readonly address: string | undefined;
  readonly tags: readonly (string | false)[];
  readonly amount: string | undefined;
  readonly tokens: readonly TokenAmount[];
  readonly children: ComponentChildren;
}

const Entry = ({ group, address, tags, amount, tokens, children }: EntryProps) => (
  <li class="entry">
    <GroupBadge group={group} />
    <div>
      {address === undefined ? (
        <span class="quiet">{texts.transaction.unknown}</span>
      ) : (
        <AddressLink id={address} first={8} last={8} />
      )}
      {tags.map((tag) => tag !== false && <span class="tag">{tag}</span>)}
      <p class="quiet">{children}</p>
    </div>
    <div class="number">
      {amount === undefined ? (
        <span class="quiet">{texts.transaction.unknownAmount}</span>
      ) : (
        <Amount amount={BigInt(amount)} />
      )}
      {tokens.map(({ id, amount: held }) => (
        <p key={id}>
          <Amount amount={BigInt(held)} token={id} />
        </p>
      ))}
    </div>
  </li>
);

/** Rows of a list before somebody asks for all of them. */
export const mostEntries = 12;

/** The rows; of many the first ones until all are asked for. On paper there are always all. */
const Entries = ({
  children,
  words,
}: {
  readonly children: readonly VNode[];
  readonly words: (all: number) => string;
}) => {
  const isWhole = useSignal(false);
  const isCut = children.length > mostEntries && !isWhole.value;
  return (
    <>
      <ul class={`entries ${isCut ? 'cut' : ''}`}>{children}</ul>
      {isCut && (
        <button type="button" class="button small whole" onClick={() => void (isWhole.value = true)}>
          {words(children.length)}
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

export const InputList = ({ transaction }: { readonly transaction: AnyTransaction }) => {
  const { inputs } = transaction;
  return (
    <Card
      title={texts.transaction.inputs}
      aside={inputs.length > 0 && isComplete(transaction) && <Sum parts={inputs} />}
    >
      {inputs.length === 0 && <p class="quiet">{texts.transaction.noInputs}</p>}
      <Entries words={texts.transaction.allInputs}>
        {inputs.map((input) => (
          <Entry
            key={input.outputRef.key}
            group={groupOf(input, transaction)}
            address={input.address}
            tags={[input.contractInput && texts.transaction.contract]}
            amount={input.attoCoinAmount}
            tokens={input.tokens ?? []}
          >
            {input.txHashRef !== undefined && (
              <>
                {texts.transaction.madeIn} <TransactionLink id={input.txHashRef} />
              </>
            )}
          </Entry>
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

export const OutputList = ({ transaction }: { readonly transaction: AnyTransaction }) => {
  const { outputs, inputs } = transaction;
  const tagOf = (output: Output): string | false => {
    if (inputs.length === 0 || !areSendersKnown(transaction)) return false;
    return isChange(transaction, output) ? texts.transaction.change : texts.transaction.receiverTag;
  };
  return (
    <Card title={texts.transaction.outputs} aside={isComplete(transaction) && <Sum parts={outputs} />}>
      <Entries words={texts.transaction.allOutputs}>
        {outputs.map((output) => (
          <Entry
            key={output.key}
            group={groupOf(output, transaction)}
            address={output.address}
            tags={[
              tagOf(output),
              output.type === 'ContractOutput' && texts.transaction.contract,
              !output.fixedOutput && texts.transaction.generated,
            ]}
            amount={output.attoCoinAmount}
            tokens={output.tokens ?? []}
          >
            <OutputNotes output={output} />
          </Entry>
        ))}
      </Entries>
    </Card>
  );
};
