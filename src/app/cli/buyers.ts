import { type INestApplicationContext } from '@nestjs/common';
import { isEmail } from 'class-validator';
import { type Author } from '../../events/audit/audit.service.js';
import { toBuyerExportDto } from '../buyers/buyer.mapper.js';
import { type BuyerName, type ErasureRequest } from '../buyers/buyer.types.js';
import { BuyersService } from '../buyers/buyers.service.js';
import { shopIdOf, withApp } from './operator.js';
import { print } from './output.js';

/** Prints everything that a shop has stored about a buyer. */
export function exportBuyer(buyer: string, shop: string): Promise<void> {
  return withApp(async (app) => {
    const exported = await app.get(BuyersService, { strict: false }).export(await operatorOf(app, shop), nameOf(buyer));
    print(JSON.stringify(toBuyerExportDto(exported), null, 2));
  });
}

/** Replaces the identity of a buyer of a shop. */
export function eraseBuyer(buyer: string, shop: string, request: ErasureRequest): Promise<void> {
  return withApp(async (app) => {
    const author = await operatorOf(app, shop);
    const { orders, bans, kept, pseudonym } = await app
      .get(BuyersService, { strict: false })
      .erase(author, nameOf(buyer), request);
    if (orders + bans === 0) print('The shop has no order and no ban of this buyer.');
    else
      print(`Erased: ${orders} orders, ${bans} bans${pseudonym === null ? '' : `. The orders have ${pseudonym} now`}.`);
    if (kept > 0) print(`${kept} items keep the nickname until what is still to run for them has run.`);
  });
}

/** A nickname has no @ with a domain behind it. */
function nameOf(buyer: string): BuyerName {
  return isEmail(buyer) ? { email: buyer } : { nickname: buyer };
}

async function operatorOf(app: INestApplicationContext, shop: string): Promise<Author> {
  return { shopId: await shopIdOf(app, shop), principal: 'system' };
}
