import { signal } from '@preact/signals';
import { type AddressChange } from './forms.js';
import { addressChange, pin } from './network.js';

const key = 'watched';
/** The stream tells of ten at most, and the page that is shown needs one. */
export const mostWatched = 9;

const stored = (): readonly string[] => {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(list) ? list.filter((each) => typeof each === 'string').slice(0, mostWatched) : [];
  } catch {
    return [];
  }
};

/** Addresses whose transactions are announced, in this browser. */
export const watched = signal<readonly string[]>(stored());

/** Something new at a watched address. */
export type Notice = AddressChange;

const mostNotices = 3;

/** The newest first. */
export const notices = signal<readonly Notice[]>([]);

export const dismiss = (notice: Notice): void => void (notices.value = notices.value.filter((each) => each !== notice));

const canNotify = typeof Notification !== 'undefined';

const onChange = (change: AddressChange | undefined): readonly Notice[] => {
  if (change === undefined || !watched.peek().includes(change.address)) return notices.peek();
  // What was told of a transaction before is past.
  const others = notices.peek().filter(({ txHash }) => txHash !== change.txHash);
  return [change, ...others].slice(0, mostNotices);
};

/** Begins to announce what happens at the watched addresses. @param show for a notice of the desktop */
export const startWatching = (show: (notice: Notice) => void): void => {
  watched.subscribe((addresses) => pin(addresses));
  addressChange.subscribe((change) => {
    const next = onChange(change);
    if (next === notices.peek()) return;
    notices.value = next;
    if (canNotify && Notification.permission === 'granted') show(change!);
  });
  addEventListener('storage', (event) => event.key === key && (watched.value = stored()));
};

/** Begins or ends to watch an address. Asks for leave to show notices of the desktop when it begins. */
export const switchWatch = (address: string): void => {
  const isOn = watched.value.includes(address);
  watched.value = isOn ? watched.value.filter((each) => each !== address) : [...watched.value, address];
  localStorage.setItem(key, JSON.stringify(watched.value));
  if (!isOn && canNotify && Notification.permission === 'default') void Notification.requestPermission();
};
