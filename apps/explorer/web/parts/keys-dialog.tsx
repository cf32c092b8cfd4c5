import { useRef } from 'preact/hooks';
import { texts } from '../texts.js';
import { KeyList } from './key-list.js';
import { useKeys } from './keys.js';
import { Settings } from './settings.js';

const id = 'keys';
const dialogOf = (): HTMLDialogElement => document.getElementById(id) as HTMLDialogElement;

export const KeysButton = () => (
  <button type="button" class="button small" onClick={() => dialogOf().showModal()}>
    {texts.frame.allKeys} <kbd aria-hidden="true">?</kbd>
  </button>
);

/** All keys, and the switches of the page. */
export const KeysDialog = () => {
  const dialog = useRef<HTMLDialogElement>(null);
  const close = (): void => dialog.current!.close();
  useKeys({ '?': () => (dialog.current!.open ? close() : dialog.current!.showModal()) });
  return (
    <dialog
      ref={dialog}
      id={id}
      class="keys-dialog"
      aria-labelledby="keys-title"
      onClick={({ target }) => target === dialog.current && close()}
    >
      <div class="card">
        <header class="card-head">
          <h2 id="keys-title">{texts.keys.title}</h2>
          <button type="button" class="button small" onClick={close}>
            {texts.frame.close}
          </button>
        </header>
        <KeyList />
        <Settings />
      </div>
    </dialog>
  );
};
