import { onDemand } from '@/start/page/on-demand';

/** The payment details, loaded lazily for pages that do not show them at first. */
export const PaymentDetails = onDemand(async () => (await import('./payment-details-modal')).PaymentDetailsModal);
