// The option `timeout` of a request: a duration as Go writes it. Nothing takes long here, so it is only checked.
import { badRequest } from '../errors.ts';

const DURATION = /^[-+]?(0|((\d+(\.\d*)?|\.\d+)(ns|us|\u00b5s|\u03bcs|ms|s|m|h))+)$/;

/** @throws StatusError 400 if `timeout` is given and no duration such as `15s`. */
export function checkTimeout(query: URLSearchParams): void {
  const text = query.get('timeout') ?? '';
  if (text === '' || DURATION.test(text)) return;
  const why = `time: invalid duration ${JSON.stringify(text)}`;
  throw badRequest(`invalid timeout specified in the request URL - ${why}`);
}
