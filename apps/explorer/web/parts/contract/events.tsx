import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type ContractEvent, type Val } from '../../store/contract-forms.js';
import { type EventNames } from '../../store/development.js';
import { useList } from '../../store/list.js';
import { serverNow } from '../../store/network.js';
import { texts } from '../../texts.js';
import { Card } from '../card.js';
import { TransactionLink } from '../links.js';
import { plainText } from '../plain-text.js';
import { Age } from '../values.js';
import { ValueText } from './value.js';
import { ListState, More } from '../list-parts.js';

const limit = 20;
const debugIndex = -3;

/** @param names in the source of the contract, none if it is not known */
export const nameOf = (index: number, names: readonly EventNames[]): string => {
  if (index === debugIndex) return texts.contract.debugMessage;
  const name = names[index]?.name;
  return name === undefined ? texts.contract.eventOf(index) : plainText(name);
};

interface EventFieldsProps {
  readonly values: readonly Val[];
  readonly names: readonly { readonly name: string }[] | undefined;
}

/** The values of an event, with their names where they are known. */
export const EventFields = ({ values, names }: EventFieldsProps) => {
  const known = names?.length === values.length ? names : undefined;
  return (
    <dl class="event-fields">
      {values.map((val, i) => (
        <div key={i}>
          <dt class={known === undefined ? 'unseen' : 'code-name'}>{plainText(known?.[i]!.name ?? String(i))}</dt>
          <dd>
            <ValueText val={val} />
          </dd>
        </div>
      ))}
    </dl>
  );
};

interface FilterProps {
  readonly indexes: readonly number[];
  readonly names: readonly EventNames[];
  readonly chosen: number | undefined;
  readonly onChoose: (index: number | undefined) => void;
}

const Filter = ({ indexes, names, chosen, onChoose }: FilterProps) => (
  <select
    class="button small contract-events-filter"
    aria-label={texts.contract.filter}
    value={chosen ?? ''}
    onChange={({ currentTarget: { value } }) => onChoose(value === '' ? undefined : Number(value))}
  >
    <option value="">{texts.contract.allEvents}</option>
    {indexes.map((index) => (
      <option key={index} value={index}>
        {nameOf(index, names)}
      </option>
    ))}
  </select>
);

interface EventRowProps {
  readonly event: ContractEvent;
  readonly names: readonly EventNames[];
  readonly isFresh: boolean;
}

const EventRow = ({ event: { eventIndex, fields, txHash, timestamp }, names, isFresh }: EventRowProps) => (
  <tr class={isFresh ? 'fresh' : ''}>
    <td>
      <span class="event-name">{nameOf(eventIndex, names)}</span>
    </td>
    <td>
      <EventFields values={fields} names={names[eventIndex]?.fields} />
    </td>
    <td class="wide-only">
      <TransactionLink id={txHash} />
    </td>
    <td class="number quiet">
      <Age timestamp={timestamp} />
    </td>
  </tr>
);

interface EventsProps {
  readonly address: string;
  /** Changes when there may be new ones. */
  readonly version: string;
  /** Of its source, by their indexes. */
  readonly names: readonly EventNames[];
}

const freshMs = 5_000;

/** Its transaction, and which of its events it is: the list begins with whole transactions. */
export const keyOfEvent = (rows: readonly ContractEvent[], at: number): string => {
  const { txHash } = rows[at]!;
  return `${txHash} ${at - rows.findIndex((row) => row.txHash === txHash)}`;
};

/** What a contract announced, the newest first; of one kind if somebody wants so. */
export const Events = ({ address, version, names }: EventsProps) => {
  const words = texts.contract;
  const chosen = useSignal<number | undefined>(undefined);
  const opened = useSignal(serverNow());
  const all = `contract-events/contract-address/${address}?limit=${limit}`;
  const path = chosen.value === undefined ? all : `${all}&event_index=${chosen.value}`;
  const list = useList<ContractEvent>(path, version);
  const { rows, more } = list;
  const seen = useSignal<ReadonlySet<number>>(new Set());
  useEffect(() => void (seen.value = new Set([...seen.value, ...rows.map(({ eventIndex }) => eventIndex)])), [rows]);
  const indexes = [...new Set([...names.keys(), ...seen.value])].sort((a, b) => a - b);
  return (
    <Card
      title={words.events}
      aside={
        indexes.length > 0 && (
          <Filter indexes={indexes} names={names} chosen={chosen.value} onChoose={(index) => (chosen.value = index)} />
        )
      }
      class="table"
    >
      <ListState list={list} none={chosen.value === undefined ? words.noEvents : words.noSuchEvents} />
      {rows.length > 0 && (
        <table class="contract-events">
          <caption class="unseen">{words.events}</caption>
          <thead>
            <tr>
              <th>{words.event}</th>
              <th>{words.eventFields}</th>
              <th class="wide-only">{words.transaction}</th>
              <th class="number">{words.age}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((event, i) => (
              <EventRow
                key={keyOfEvent(rows, i)}
                event={event}
                names={names}
                isFresh={event.timestamp > opened.value - freshMs}
              />
            ))}
          </tbody>
        </table>
      )}
      <More more={more}>{words.olderEvents}</More>
    </Card>
  );
};
