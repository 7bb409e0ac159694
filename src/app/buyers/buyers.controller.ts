import { Body, Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { InShop, RequirePermissions } from '../../http/routes/access.decorators.js';
import { CONCURRENCY } from '../../domain/limits/concurrency.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { SHOP_ID } from '../../http/routes/path-parameters.js';
import { AtOncePerShop } from '../../http/throttling/concurrency.interceptor.js';
import { RateLimit } from '../../http/throttling/rate-limit.decorator.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { toBuyerExportDto } from './buyer.mapper.js';
import { type Erasure } from './buyer.types.js';
import { BuyersService, requireOwner } from './buyers.service.js';
import { BuyerExportDto, BuyerNameDto, EraseBuyerDto, ErasureDto } from './dto/buyer.dto.js';

@ApiTags('Buyers')
@Controller('buyers/:shopId')
export class BuyersController {
  constructor(private readonly buyers: BuyersService) {}

  @Post('export')
  @RequirePermissions('orders:read')
  @RateLimit('buyerExport')
  @AtOncePerShop('buyerExport')
  @DocumentedErrors('buyer_ambiguous')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Export a buyer',
    description:
      'Only for owners, with a bearer token. Everything that the shop has stored about a buyer. The address is in the body, so that no ' +
      `log has it. A shop can run ${CONCURRENCY.buyerExport.running} exports at once in each process; one more gets 429.`,
  })
  @RespondsWith(BuyerExportDto, 'Buyer exported')
  async export(@InShop() context: ShopContext, @Body() body: BuyerNameDto): Promise<BuyerExportDto> {
    return toBuyerExportDto(await this.buyers.export(requireOwner(context), body));
  }

  @Post('erase')
  @RequirePermissions('orders:write')
  @DocumentedErrors('buyer_ambiguous', 'buyer_not_erasable', 'buyer_items_running')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Erase a buyer',
    description:
      'Only for owners, with a bearer token. Replaces the address and the nicknames of a buyer by keyed hashes, wherever the shop has them. Amounts stay, and bans still hit. Open orders that nobody has started to pay are cancelled. Rejected while an order is being paid, is paid and not delivered, or its payment is undecided, and without `running` also while something is still to run for an item of the buyer. It cannot be undone.',
  })
  @RespondsWith(ErasureDto, 'Buyer erased')
  erase(@InShop() context: ShopContext, @Body() { reason, running, ...name }: EraseBuyerDto): Promise<Erasure> {
    return this.buyers.erase(requireOwner(context), name, { reason, running });
  }
}
