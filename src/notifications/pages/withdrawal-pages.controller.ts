import { Body, Get, Post, Req, Res } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { PAGE_PATHS } from '../../http/addresses/page-links.js';
import { Public } from '../../http/routes/access.decorators.js';
import { orderPath } from './order-pages.service.js';
import { PageController } from './page-controller.decorator.js';
import { type FormFields } from './page-form.js';
import { send } from './page-response.js';
import { CurrentVisit, type Visit } from './visit.js';
import { WithdrawalPagesService } from './withdrawal-pages.service.js';

/** The page with which a buyer withdraws from an order. */
@PageController(PAGE_PATHS.orders, ({ orderId }) => orderPath(String(orderId)))
export class WithdrawalPagesController {
  constructor(private readonly pages: WithdrawalPagesService) {}

  @Get(':orderId/withdrawal')
  @Public()
  async show(@CurrentVisit() visit: Visit, @Res() response: Response): Promise<void> {
    await send(response, await this.pages.show(visit));
  }

  @Post(':orderId/withdrawal')
  @Public()
  async confirm(
    @CurrentVisit() visit: Visit,
    @Body() form: FormFields,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await send(response, await this.pages.confirm(visit, { ...form, items: request.form?.getAll('items') ?? [] }));
  }
}
