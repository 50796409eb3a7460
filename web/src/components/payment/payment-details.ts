import { onDemand } from '@/start/page/on-demand';

/** The payment details for pages that do not open them at first sight. */
export const PaymentDetails = onDemand(async () => (await import('./payment-details-modal')).PaymentDetailsModal);
