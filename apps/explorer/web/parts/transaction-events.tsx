import { type ContractEvent } from '../store/contract-forms.js';
import { type ContractSource, hasDevelopmentTools, sourcePath } from '../store/development.js';
import { type Transaction } from '../store/forms.js';
import { reload, useAnswer } from '../store/loaded.js';
import { texts } from '../texts.js';
import { Card, Failure } from './card.js';
import { EventFields, nameOf } from './contract/events.js';
import { AddressLink } from './links.js';

/** Events of the machine itself, whose first field is the contract (protocol 08 §4.6). */
const machineNames: Readonly<Record<number, string>> = {
  [-1]: texts.events.created,
  [-2]: texts.events.destroyed,
};

/** The contract that an event is about. */
const contractOf = ({ contractAddress, eventIndex, fields }: ContractEvent): string => {
  const named = machineNames[eventIndex] === undefined ? undefined : fields[0]?.value;
  return typeof named === 'string' ? named : contractAddress;
};

const EventRow = ({ event }: { readonly event: ContractEvent }) => {
  const { eventIndex, fields } = event;
  const contract = contractOf(event);
  const path = hasDevelopmentTools && eventIndex >= 0 ? sourcePath(contract) : undefined;
  const events = useAnswer<{ readonly source: ContractSource | null }>(path).value?.source?.events ?? [];
  return (
    <tr>
      <td>
        <span class="event-name">{machineNames[eventIndex] ?? nameOf(eventIndex, events)}</span>
      </td>
      <td>
        <AddressLink id={contract} />
      </td>
      <td>
        <EventFields values={fields} names={events[eventIndex]?.fields} />
      </td>
    </tr>
  );
};

/** What the contracts of a transaction told. */
export const TransactionEvents = ({ transaction }: { readonly transaction: Transaction }) => {
  const words = texts.contract;
  const path = `contract-events/transaction-id/${transaction.hash}`;
  const { value = [], failure } = useAnswer<readonly ContractEvent[]>(path, transaction.blockHash);
  if (failure === undefined && value.length === 0) return null;
  return (
    <Card title={words.events} aside={<span class="quiet">{value.length}</span>} class="table">
      {failure !== undefined && <Failure failure={failure} retry={() => void reload(path)} />}
      {value.length > 0 && (
        <table class="transaction-events">
          <caption class="unseen">{words.events}</caption>
          <thead>
            <tr>
              <th>{words.event}</th>
              <th>{texts.events.contract}</th>
              <th>{words.eventFields}</th>
            </tr>
          </thead>
          <tbody>
            {value.map((event, i) => (
              <EventRow key={i} event={event} />
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
};
