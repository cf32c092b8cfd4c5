/** Gives the browser a file to store. */
export const saveFile = (file: Blob, name: string): void => {
  const address = URL.createObjectURL(file);
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address));
};
