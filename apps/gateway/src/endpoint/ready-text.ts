/** An answer that is there without waiting for anybody, as JSON; undefined: it has to be asked for. */
export type ReadyText = string | Buffer | undefined;

/**
 * The text of a reply, made once for each reply. A group-node in this process gives the very same reply as long as it is right
 * (`GroupClient.atOnce`), so nothing here can be out of date; a text goes with its reply.
 */
export const textOfReply = <Reply extends object>(
  formOf: (reply: Reply) => unknown,
): ((reply: Reply | undefined) => ReadyText) => {
  const texts = new WeakMap<Reply, string>();
  return (reply) => {
    if (!reply) return undefined;
    const known = texts.get(reply);
    if (known !== undefined) return known;
    const text = JSON.stringify(formOf(reply));
    texts.set(reply, text);
    return text;
  };
};
