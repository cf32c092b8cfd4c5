/** Copies by a selection: pages that are no secure context (a name in the LAN over HTTP) have no clipboard. */
const copySelected = (text: string): boolean => {
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.className = 'unseen';
  const focused = document.activeElement;
  document.body.append(field);
  field.select();
  try {
    // Deprecated, and without a successor for these pages.
    return document.execCommand('copy');
  } finally {
    field.remove();
    if (focused instanceof HTMLElement) focused.focus();
  }
};

/** Copies a text. False: the browser allows no page to do that here. */
export const copyText = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // There is none, it is denied, or the page has no focus.
    return copySelected(text);
  }
};
