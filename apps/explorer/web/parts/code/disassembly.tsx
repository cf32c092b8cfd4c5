import { useSignal } from '@preact/signals';
import { texts } from '../../texts.js';
import { plainText } from '../plain-text.js';
import { Copy } from '../values.js';
import { type MethodListing } from './listing.js';
import { type ListingRequest } from './listing-worker.js';

interface ListingProps {
  readonly listing: MethodListing;
  readonly index: number;
  /** In the source, where it is known. */
  readonly name: string | undefined;
}

const Listing = ({ listing, index, name }: ListingProps) => {
  const words = texts.code;
  return (
    <section class="listing">
      <h3>
        {words.method(index)} {name !== undefined && <span class="code-name">{plainText(name)}</span>}{' '}
        <span class="quiet">{words.facts(listing).join(' · ')}</span> <Copy text={listing.text} />
      </h3>
      <pre tabIndex={0}>{listing.text}</pre>
    </section>
  );
};

/** Anybody may have written the code, and much of it: a thread of its own reads it. */
const readListings = (request: ListingRequest): Promise<readonly MethodListing[] | undefined> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./listing-worker.ts', import.meta.url), { type: 'module' });
    const end = (settle: () => void): void => {
      worker.terminate();
      settle();
    };
    worker.onmessage = ({ data }: MessageEvent<readonly MethodListing[] | undefined>) => end(() => resolve(data));
    worker.onerror = ({ message }) => end(() => reject(new Error(message)));
    worker.postMessage(request);
  });

interface DisassemblyProps extends ListingRequest {
  /** Of its methods, where the source is known. */
  readonly names?: readonly string[];
}

/** Code as instructions, read when it is unfolded. */
export const Disassembly = ({ kind, code, names = [] }: DisassemblyProps) => {
  const words = texts.code;
  const listings = useSignal<readonly MethodListing[] | undefined>(undefined);
  const hasFailed = useSignal(false);
  const onToggle = async ({ currentTarget }: { readonly currentTarget: HTMLDetailsElement }): Promise<void> => {
    if (!currentTarget.open || listings.value !== undefined) return;
    hasFailed.value = false;
    listings.value = await readListings({ kind, code }).catch(() => undefined);
    hasFailed.value = listings.value === undefined;
  };
  return (
    <details class="raw" onToggle={(event) => void onToggle(event)}>
      <summary>
        {words.instructions} <span class="quiet">{words.instructionsHint}</span>
      </summary>
      {listings.value === undefined && <p class="quiet">{hasFailed.value ? words.unreadable : texts.loading}</p>}
      {listings.value?.map((listing, index) => (
        <Listing key={index} listing={listing} index={index} name={names[index]} />
      ))}
    </details>
  );
};
