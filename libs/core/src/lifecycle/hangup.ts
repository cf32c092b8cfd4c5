/**
 * Calls the action when the terminal was closed or the session was lost (SIGHUP). What is written from then on may find
 * nobody: that must not end the process before it has stopped in order. (Node itself aborts at the very end when it cannot
 * set a terminal back that is gone; all is closed by then.)
 */
export const onHangup = (action: () => void): void => {
  process.on('SIGHUP', () => {
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
    action();
  });
};
