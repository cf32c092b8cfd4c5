import { useEffect } from 'preact/hooks';
import { go } from '../router.js';
import { dismiss, mostWatched, type Notice, notices, switchWatch, watched } from '../store/watched.js';
import { texts } from '../texts.js';
import { ends, Link } from './links.js';

/** A switch on the page of an address: remembered by the browser. */
export const WatchSwitch = ({ address }: { readonly address: string }) => {
  const isOn = watched.value.includes(address);
  const isFull = !isOn && watched.value.length >= mostWatched;
  const words = texts.watching;
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      disabled={isFull}
      class="button small watch"
      title={isFull ? words.full(mostWatched) : words.hint}
      onClick={() => switchWatch(address)}
    >
      <span class="knob" aria-hidden="true" />
      {words.watch}
    </button>
  );
};

/** A notice of the desktop; a later one of the same transaction takes its place, also one of another tab. */
export const showOnDesktop = ({ address, txHash, kind }: Notice): void => {
  const words = texts.watching;
  const notice = new Notification(words.kinds[kind], { body: words.at(ends(address, 8, 6)), tag: txHash });
  notice.addEventListener('click', () => {
    focus();
    go(`tx/${txHash}`);
    notice.close();
  });
};

const shownMs = 12_000;

const NoticeCard = ({ notice }: { readonly notice: Notice }) => {
  const { address, txHash, kind } = notice;
  const words = texts.watching;
  useEffect(() => {
    const timer = setTimeout(() => dismiss(notice), shownMs);
    return () => clearTimeout(timer);
  }, [notice]);
  return (
    <div class={`notice ${kind}`}>
      <p>
        <Link to={`tx/${txHash}`}>{words.kinds[kind]}</Link>
      </p>
      <p class="quiet">{words.at(ends(address, 8, 6))}</p>
      <button type="button" class="button small" onClick={() => dismiss(notice)}>
        {words.close}
      </button>
    </div>
  );
};

/** What is new at watched addresses: seen in the corner, and heard. */
export const Notices = () => (
  <div class="notices" role="status" aria-label={texts.watching.notices}>
    {notices.value.map((notice) => (
      <NoticeCard key={notice.txHash} notice={notice} />
    ))}
  </div>
);
