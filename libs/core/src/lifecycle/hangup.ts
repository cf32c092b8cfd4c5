/**
 * Calls the action when the terminal was closed or the session was lost (SIGHUP). Later writes to the terminal may
 * fail; that must not end the process before its graceful shutdown. (Node itself aborts at the very end if it cannot
 * reset a closed terminal; everything is closed by then.)
 */
export const onHangup = (action: () => void): void => {
  process.on('SIGHUP', () => {
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
    action();
  });
};
