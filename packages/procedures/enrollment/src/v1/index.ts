// 1.0.0: members without an entry get one, entries without a member go. An entry carries the raw id of its member.
import { entriesInStep } from '../actions/entries-in-step.ts';
import { entriesReleased } from '../actions/entries-released.ts';
import { defineProcedure } from '../context.ts';

export const v1 = defineProcedure({ version: '1.0.0', actions: [entriesInStep], teardown: [entriesReleased] });
