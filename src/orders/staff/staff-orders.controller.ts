import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { InShop, RequirePermissions, WithinServers } from '../../http/routes/access.decorators.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { type Page } from '../../lib/paging/page.js';
import { ORDER_ID, SHOP_ID } from '../../http/routes/path-parameters.js';
import { ObjectIdPipe } from '../../http/validation/object-id.pipe.js';
import { ListOrdersQuery } from './dto/list-orders.query.dto.js';
import { AddOrderNoteDto, ReasonDto, RedeliverDto, ResolveOrderDto } from './dto/reason.dto.js';
import { StaffOrderDetailsDto, StaffOrderDto } from './dto/staff-order.dto.js';
import { DeliveryStatusService } from '../fulfilment/delivery-status.service.js';
import { toStaffOrderDetailsDto, toStaffOrderDto } from './staff-order.mapper.js';
import { OrderDetailsService } from './order-details.service.js';
import { StaffOrdersService } from './staff-orders.service.js';

/** The endpoints of staff for the orders of their shop. */
@ApiTags('Orders')
@Controller('orders/:shopId')
export class StaffOrdersController {
  constructor(
    private readonly orders: StaffOrdersService,
    private readonly details: OrderDetailsService,
    private readonly deliveryStatus: DeliveryStatusService,
  ) {}

  @Get()
  @RequirePermissions('orders:read')
  @WithinServers()
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'List orders',
    description:
      'Newest first, with any combination of filters. An API key that is restricted to game servers sees orders for them or for ' +
      'any server.',
  })
  @RespondsWith([StaffOrderDto], 'Orders retrieved')
  async list(@InShop() context: ShopContext, @Query() query: ListOrdersQuery): Promise<Page<StaffOrderDto>> {
    const page = await this.orders.list(context, query, query);
    return page.map((order) => toStaffOrderDto(order, context));
  }

  @Get(':orderId')
  @RequirePermissions('orders:read')
  @DocumentedErrors('order_not_found')
  @WithinServers()
  @ApiParam(SHOP_ID)
  @ApiParam(ORDER_ID)
  @ApiOperation({
    summary: 'Read an order with its history',
    description: 'For staff: the order with its history, its payment events and its deliveries.',
  })
  @RespondsWith(StaffOrderDetailsDto, 'Order retrieved')
  async get(
    @InShop() context: ShopContext,
    @Param('orderId', ObjectIdPipe) orderId: string,
  ): Promise<StaffOrderDetailsDto> {
    return toStaffOrderDetailsDto(await this.details.get(context, orderId), context);
  }

  @Post(':orderId/cancel')
  @RequirePermissions('orders:write')
  @DocumentedErrors('order_not_found', 'not_cancellable')
  @ApiParam(SHOP_ID)
  @ApiParam(ORDER_ID)
  @ApiOperation({
    summary: 'Cancel an order',
    description:
      'Ends an open order, and releases its stock and its use of a discount code. A payment that arrives later ' +
      'delivers nothing.',
  })
  @RespondsWith(StaffOrderDto, 'Order cancelled')
  async cancel(
    @InShop() context: ShopContext,
    @Param('orderId', ObjectIdPipe) orderId: string,
    @Body() { reason }: ReasonDto,
  ): Promise<StaffOrderDto> {
    return toStaffOrderDto(await this.orders.cancel(context, orderId, reason), context);
  }

  @Post(':orderId/notes')
  @RequirePermissions('orders:write')
  @ApiParam(SHOP_ID)
  @ApiParam(ORDER_ID)
  @ApiOperation({
    summary: 'Write a note about an order',
    description:
      'Adds an entry `note` to the history. Only staff see it, and an erasure of the buyer removes its text.',
  })
  @RespondsWith(StaffOrderDetailsDto, 'Note added')
  async addNote(
    @InShop() context: ShopContext,
    @Param('orderId', ObjectIdPipe) orderId: string,
    @Body() { text }: AddOrderNoteDto,
  ): Promise<StaffOrderDetailsDto> {
    await this.orders.addNote(context, orderId, text);
    return toStaffOrderDetailsDto(await this.details.get(context, orderId), context);
  }

  @Post(':orderId/resolve')
  @RequirePermissions('payments:write')
  @DocumentedErrors('order_not_found', 'not_resolvable')
  @ApiParam(SHOP_ID)
  @ApiParam(ORDER_ID)
  @ApiOperation({
    summary: 'Decide about a payment',
    description:
      'For an order with the payment status `needs_review`. Accepted, it is paid and its items are queued, unless it was ' +
      'cancelled. Rejected, it is not paid. Refunds and disputes after that count as for any order; another payment needs ' +
      'another decision.',
  })
  @RespondsWith(StaffOrderDto, 'Payment reviewed')
  async resolve(
    @InShop() context: ShopContext,
    @Param('orderId', ObjectIdPipe) orderId: string,
    @Body() body: ResolveOrderDto,
  ): Promise<StaffOrderDto> {
    return toStaffOrderDto(await this.orders.resolve(context, orderId, body), context);
  }

  @Post(':orderId/redeliver')
  @RequirePermissions('orders:write')
  @DocumentedErrors('order_not_found', 'delivery_not_found', 'not_redeliverable')
  @ApiParam(SHOP_ID)
  @ApiParam(ORDER_ID)
  @ApiOperation({
    summary: 'Deliver an order again',
    description:
      'Queues the failed deliveries of a paid order again; if none failed, those that are uncertain, which needs `mayRunTwice`; if all were ' +
      'delivered, all of them. ' +
      'For a refunded or charged back order, it queues the revocation again. With `deliveryId`, it queues only this delivery ' +
      'again, also while others wait. What was delivered before goes to the same player again.',
  })
  @RespondsWith(StaffOrderDto, 'Order queued again')
  async redeliver(
    @InShop() context: ShopContext,
    @Param('orderId', ObjectIdPipe) orderId: string,
    @Body() body: RedeliverDto,
  ): Promise<StaffOrderDto> {
    return toStaffOrderDto(await this.deliveryStatus.redeliver(context, orderId, body), context);
  }
}
