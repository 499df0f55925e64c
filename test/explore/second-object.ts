// A package with a planted mistake, for explorations that load packages by path: the second of two objects is made only
// where the first one is missing.
import { orderCases } from './cases/order.ts';

const planted = orderCases.find(({ reported }) => reported.includes('K8SPXC-896'));
if (planted === undefined) throw new Error('the case has gone');

export default { ...planted.faulty, examples: planted.options.objects ?? [] };
