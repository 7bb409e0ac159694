import { Controller, Get, Param, Post, Res, StreamableFile } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type Response } from 'express';
import { Public } from '../../http/routes/access.decorators.js';
import { TEST_PAYMENTS_PATH } from '../providers/test/test.provider.js';
import { testPaymentPage } from './test-payment-page.js';
import { TestActionPipe } from './test-action.pipe.js';
import { type TestAction } from './test-payment-rules.js';
import { TestPaymentsService } from './test-payments.service.js';

/** The pages of test payments, for people: HTML instead of the API's JSON. */
@ApiExcludeController()
@Controller(TEST_PAYMENTS_PATH)
export class TestPaymentsController {
  constructor(private readonly testPayments: TestPaymentsService) {}

  @Get(':paymentId')
  @Public()
  async show(@Param('paymentId') paymentId: string): Promise<StreamableFile> {
    const { payment, order, actions } = await this.testPayments.get(paymentId);
    const page = testPaymentPage(payment, order, actions);
    return new StreamableFile(Buffer.from(page), { type: 'text/html; charset=utf-8' });
  }

  @Post(':paymentId/:action')
  @Public()
  async act(
    @Param('paymentId') paymentId: string,
    @Param('action', TestActionPipe) action: TestAction,
    @Res() response: Response,
  ): Promise<void> {
    const { url } = await this.testPayments.act(paymentId, action);
    response.redirect(303, url);
  }
}
