<?php
/**
 * What an order of the shop is in Kontor. Only reads; nothing here sends anything.
 *
 * @package Kontor\WooCommerce
 */

namespace Kontor\WooCommerce;

defined( 'ABSPATH' ) || exit;

final class Sale {

	const MAX_TEXT  = 255;
	const MAX_NOTES = 4000;

	/** Orders with these statuses are wanted. All others, such as drafts, are not sent, and are canceled if they were. */
	const OPEN = array( 'pending', 'on-hold', 'processing', 'completed' );

	/** The id of the order in Kontor: unique for the API connection, which belongs to this shop alone. */
	public static function external_id( \WC_Order $order ) {
		return 'wc-' . $order->get_id();
	}

	public static function is_wanted( \WC_Order $order ) {
		return $order->has_status( self::OPEN ) && array() !== self::lines( $order );
	}

	/** 2 Paid, 1 Partially paid, 0 Unpaid: what remains after refunds counts. */
	public static function payment( \WC_Order $order ) {
		if ( ! $order->is_paid() && null === $order->get_date_paid() ) {
			return 0;
		}
		return (float) $order->get_total() > 0 && (float) $order->get_total_refunded() >= (float) $order->get_total() ? 0 : 2;
	}

	/**
	 * The fields that may change after the sale was created.
	 *
	 * @return array<string, mixed>
	 */
	public static function content( \WC_Order $order ) {
		list( $delivery, $discount ) = self::extras( $order );
		return array(
			'products'       => self::lines( $order ),
			'delivery_price' => self::money( $delivery ),
			'discount'       => self::money( $discount ),
		);
	}

	/**
	 * The fields of a new sale.
	 *
	 * @return array<string, mixed>
	 */
	public static function whole( \WC_Order $order ) {
		$storage_id = absint( Settings::all()['storage_id'] );
		$placed     = $order->get_date_created();
		$fields     = array(
			'num'                   => self::text( $order->get_order_number() ),
			'external_id'           => self::external_id( $order ),
			'customer_name'         => self::text( self::customer_name( $order ) ),
			'customer_external_id'  => self::customer_id( $order ),
			'customer_email'        => self::text( $order->get_billing_email() ),
			'customer_phone'        => self::text( $order->get_billing_phone() ),
			'customer_address_real' => self::text( self::address( $order ) ),
			'date_placed'           => null === $placed ? '' : $placed->date( 'Y-m-d' ),
			'notes'                 => self::text( $order->get_customer_note(), self::MAX_NOTES ),
		) + ( $storage_id > 0 ? array( 'products_storage_id' => $storage_id ) : array() );
		return array_filter( $fields, array( self::class, 'is_set' ) ) + self::content( $order );
	}

	/**
	 * The lines, without what was refunded. Totals include tax, so that the sale has the total of the order.
	 *
	 * @return array<int, array{sku: string, amount: string, total: string}>
	 */
	public static function lines( \WC_Order $order ) {
		$lines = array();
		foreach ( $order->get_items( 'line_item' ) as $id => $item ) {
			// Refunded quantities are negative.
			$amount = (float) $item->get_quantity() + (float) $order->get_qty_refunded_for_item( $id );
			$total  = (float) $item->get_total() + (float) $item->get_total_tax() - (float) $order->get_total_refunded_for_item( $id );
			foreach ( array_keys( $item->get_taxes()['total'] ?? array() ) as $tax ) {
				$total -= (float) $order->get_tax_refunded_for_item( $id, $tax );
			}
			if ( $amount > 0 ) {
				$lines[] = array(
					'sku'    => self::text( self::sku( $item ) ),
					'amount' => number_format( $amount, 3, '.', '' ),
					'total'  => self::money( max( 0, $total ) ),
				);
			}
		}
		return $lines;
	}

	/** A product without a SKU is named by its id: Kontor then lists the line as skipped, and it is not lost. */
	private static function sku( $item ) {
		$product = $item->get_product();
		$sku     = $product ? (string) $product->get_sku() : '';
		return '' !== $sku ? $sku : 'wc-' . ( $item->get_variation_id() ? $item->get_variation_id() : $item->get_product_id() );
	}

	/** Delivery with fees, and discounts that are not part of a line. What was refunded of them is subtracted. */
	private static function extras( \WC_Order $order ) {
		list( $delivery, $discount ) = array( 0.0, 0.0 );
		foreach ( array( 'shipping', 'fee' ) as $type ) {
			foreach ( $order->get_items( $type ) as $id => $item ) {
				$total = (float) $item->get_total() + (float) $item->get_total_tax() - (float) $order->get_total_refunded_for_item( $id, $type );
				foreach ( array_keys( $item->get_taxes()['total'] ?? array() ) as $tax ) {
					$total -= (float) $order->get_tax_refunded_for_item( $id, $tax, $type );
				}
				if ( $total >= 0 ) {
					$delivery += $total;
				} else {
					$discount -= $total;
				}
			}
		}
		return array( $delivery, $discount );
	}

	private static function customer_name( \WC_Order $order ) {
		$name = trim( $order->get_billing_first_name() . ' ' . $order->get_billing_last_name() );
		foreach ( array( $name, $order->get_billing_company(), $order->get_billing_email() ) as $one ) {
			if ( '' !== trim( (string) $one ) ) {
				return $one;
			}
		}
		return __( 'Guest', 'kontor-for-woocommerce' );
	}

	/** Two people of the same name stay two customers. Guests are known by their e-mail address, of which only a hash is stored as the id. */
	private static function customer_id( \WC_Order $order ) {
		if ( $order->get_customer_id() > 0 ) {
			return 'wc-' . $order->get_customer_id();
		}
		$email = strtolower( trim( $order->get_billing_email() ) );
		return '' === $email ? '' : 'wc-guest-' . hash( 'sha256', $email );
	}

	private static function address( \WC_Order $order ) {
		$kind  = '' !== (string) $order->get_shipping_address_1() ? 'shipping' : 'billing';
		$parts = array();
		foreach ( array( 'company', 'address_1', 'address_2', 'postcode', 'city', 'state', 'country' ) as $part ) {
			$parts[] = trim( (string) $order->{"get_{$kind}_{$part}"}() );
		}
		return implode( ', ', array_filter( $parts, array( self::class, 'is_set' ) ) );
	}

	private static function is_set( $value ) {
		return '' !== $value;
	}

	private static function text( $value, $max = self::MAX_TEXT ) {
		$clean = trim( str_replace( "\0", '', wp_check_invalid_utf8( (string) $value, true ) ) );
		return function_exists( 'mb_substr' ) ? mb_substr( $clean, 0, $max ) : substr( $clean, 0, $max );
	}

	private static function money( $value ) {
		return number_format( (float) $value, 2, '.', '' );
	}
}
