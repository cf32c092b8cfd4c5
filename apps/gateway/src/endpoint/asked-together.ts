import { JsonText } from './endpoint.js';
import { askingAtOnce, type Asking } from './plans.js';

/** Something is kept for it until its client has it: there must be as many of them as clients. */
const isForOne = (answer: unknown): boolean => answer instanceof JsonText && answer.onGone !== undefined;

/**
 * The same request of several clients that comes in one turn of the event loop is asked once, and all get its answer or its
 * error. The question goes out after the last of them has come, so nobody gets an answer from before it asked. It travels
 * under the request id of the first.
 */
export const askedTogether = <Answer>(asking: Asking<Answer>): Asking<Answer> => {
  let gathering: Promise<Answer> | undefined;
  const together: Asking<Answer> = async (clients) => {
    if (gathering) {
      const answer = await gathering;
      return isForOne(answer) ? asking(clients) : answer;
    }
    gathering = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      gathering = undefined;
      return asking(clients);
    });
    return gathering;
  };
  return asking.atOnce ? askingAtOnce(together, asking.atOnce) : together;
};
