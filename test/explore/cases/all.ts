// All cases.
import { halfwayCases } from './halfway.ts';
import { orderCases } from './order.ts';
import { outsideCases } from './outside.ts';
import { relationCases } from './relations.ts';
import { restCases } from './rest.ts';
import type { Case } from './shared.ts';
import { upgradeCases } from './upgrades.ts';

export const allCases: readonly Case[] = [...orderCases, ...restCases, ...outsideCases, ...upgradeCases, ...halfwayCases, ...relationCases];
