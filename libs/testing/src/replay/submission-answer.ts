import { ServiceError } from '@shardnode/core/errors';
import { type SubmissionAnswer } from './replay-target.js';

/** The response to a submitted transaction: accepted, or refused by an error of the service. Rethrows faults. */
export const submissionAnswer = async (submitted: Promise<unknown>): Promise<SubmissionAnswer> => {
  try {
    await submitted;
    return { verdict: 'valid', text: '' };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.kind !== 'refused') throw error;
    const { code, data, detail } = error;
    return {
      verdict: data.failure === undefined ? code : `${code}(${data.failure})`,
      text: data.result === undefined ? detail : ` due to ${data.result}`,
    };
  }
};
