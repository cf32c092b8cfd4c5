import { useSignal } from '@preact/signals';
import { type ContractEvent } from '../store/contract-forms.js';
import { useList } from '../store/list.js';
import { serverNow } from '../store/network.js';
import { texts } from '../texts.js';
import { Card } from './card.js';
import { EventCells } from './contract/event-cells.js';
import { keyOfEvent } from './contract/events.js';
import { TransactionLink } from './links.js';
import { ListState, More } from './list-parts.js';
import { Age } from './values.js';

const limit = 20;

interface AddressEventsProps {
  readonly address: string;
  /** Changes when there may be new ones. */
  readonly version: string;
}

/** What contracts announced in transactions of an address, the newest first. */
export const AddressEvents = ({ address, version }: AddressEventsProps) => {
  const words = texts.contract;
  const opened = useSignal(serverNow());
  const list = useList<ContractEvent>(`contract-events/input-address/${address}?limit=${limit}`, version);
  const { rows, more } = list;
  return (
    <Card title={texts.events.title} class="table under-tab">
      <ListState list={list} none={texts.events.noneOfAddress} />
      {rows.length > 0 && (
        <div class="scroll">
          <table class="address-events">
            <caption class="unseen">{texts.events.title}</caption>
            <thead>
              <tr>
                <th>{words.event}</th>
                <th class="wide-only">{texts.events.contract}</th>
                <th>{words.eventFields}</th>
                <th class="wide-only">{words.transaction}</th>
                <th class="number">{words.age}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((event, i) => (
                <tr key={keyOfEvent(rows, i)} class={event.timestamp > opened.value ? 'fresh' : ''}>
                  <EventCells event={event} isStacked />
                  <td class="wide-only">
                    <TransactionLink id={event.txHash} />
                  </td>
                  <td class="number quiet">
                    <Age timestamp={event.timestamp} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <More more={more}>{words.olderEvents}</More>
    </Card>
  );
};
