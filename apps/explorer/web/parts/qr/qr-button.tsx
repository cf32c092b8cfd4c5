import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { texts } from '../../texts.js';
import { QrCode } from './qr-code.js';

/** Shows a text as a QR code over the page. */
export const QrButton = ({ text }: { readonly text: string }) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = useSignal(false);
  // With its contents, of which the first button gets the focus.
  useEffect(() => {
    if (isOpen.value) dialog.current!.showModal();
  }, [isOpen.value]);
  const close = (): void => dialog.current!.close();
  return (
    <>
      <button type="button" class="button small" aria-haspopup="dialog" onClick={() => void (isOpen.value = true)}>
        {texts.qr.show}
      </button>
      <dialog
        ref={dialog}
        class="keys-dialog qr-dialog"
        aria-label={texts.qr.label}
        onClose={() => void (isOpen.value = false)}
        onClick={({ target }) => target === dialog.current && close()}
      >
        {isOpen.value && (
          <div class="card">
            <QrCode text={text} />
            <p class="id">{text}</p>
            <button type="button" class="button small" onClick={close}>
              {texts.frame.close}
            </button>
          </div>
        )}
      </dialog>
    </>
  );
};
