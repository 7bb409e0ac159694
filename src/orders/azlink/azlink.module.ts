import { Module } from '@nestjs/common';
import { ServersModule } from '../../catalogue/servers/servers.module.js';
import { FulfilmentModule } from '../fulfilment/fulfilment.module.js';
import { AzLinkController } from './azlink.controller.js';
import { AzLinkService } from './azlink.service.js';

@Module({
  imports: [FulfilmentModule, ServersModule],
  controllers: [AzLinkController],
  providers: [AzLinkService],
})
export class AzLinkModule {}
