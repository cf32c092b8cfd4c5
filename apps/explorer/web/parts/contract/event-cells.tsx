import { type ContractEvent } from '../../store/contract-forms.js';
import { type ContractSource, hasDevelopmentTools, sourcePath } from '../../store/development.js';
import { useAnswer } from '../../store/loaded.js';
import { texts } from '../../texts.js';
import { AddressLink } from '../links.js';
import { EventFields, nameOf } from './events.js';

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

interface EventCellsProps {
  readonly event: ContractEvent;
  /** Whether on a phone the contract stands below the name, and has no cell. */
  readonly isStacked?: boolean;
}

/** What an event of any contract is: its name, its contract and its values, as cells of a table. */
export const EventCells = ({ event, isStacked = false }: EventCellsProps) => {
  const { eventIndex, fields } = event;
  const contract = contractOf(event);
  const path = hasDevelopmentTools && eventIndex >= 0 ? sourcePath(contract) : undefined;
  const events = useAnswer<{ readonly source: ContractSource | null }>(path).value?.source?.events ?? [];
  return (
    <>
      <td>
        <span class="event-name">{machineNames[eventIndex] ?? nameOf(eventIndex, events)}</span>
        {isStacked && (
          <span class="phone-only stacked">
            <AddressLink id={contract} />
          </span>
        )}
      </td>
      <td class={isStacked ? 'wide-only' : ''}>
        <AddressLink id={contract} />
      </td>
      <td>
        <EventFields values={fields} names={events[eventIndex]?.fields} />
      </td>
    </>
  );
};
