<?php
/**
 * Sends orders to Kontor in the background: what is new, paid, changed, refunded or canceled. A run compares the order with what was sent before, so it does
 * not matter how often it runs, or in which order changes were noticed.
 *
 * @package Kontor\WooCommerce
 */

namespace Kontor\WooCommerce;

defined( 'ABSPATH' ) || exit;

final class Orders {

	const CANCELED = 4;
	const SHIPPED  = 3;

	/** Pauses between attempts: minutes at first, then hours, for about four days. */
	const PAUSES = array( 60, 120, 300, 600, 1800, 3600, 7200, 14400, 28800, 43200, 86400, 86400, 86400 );

	public static function register() {
		foreach ( array( 'woocommerce_new_order', 'woocommerce_order_status_changed', 'woocommerce_payment_complete', 'woocommerce_order_refunded', 'woocommerce_saved_order_items', 'woocommerce_rest_insert_shop_order_object', 'woocommerce_trash_order', 'woocommerce_untrash_order' ) as $hook ) {
			add_action( $hook, array( self::class, 'enqueue' ), 20, 1 );
		}
		add_action( 'woocommerce_refund_deleted', array( self::class, 'refund_deleted' ), 20, 2 );
		add_action( 'woocommerce_before_delete_order', array( self::class, 'before_delete' ), 10, 1 );
		add_action( 'kontor_poll', array( self::class, 'sweep' ) );
		add_action( 'kontor_send_order', array( self::class, 'send' ), 10, 1 );
		add_action( 'kontor_cancel_sale', array( self::class, 'cancel_sale' ), 10, 2 );
		add_action( 'kontor_refresh_sale', array( self::class, 'refresh_sale' ), 10, 1 );
	}

	/** Something happened to an order. Nothing is sent now: the customer would have to wait for it. */
	public static function enqueue( $order_id ) {
		$order = wc_get_order( $order_id );
		if ( ! $order instanceof \WC_Order || ! Settings::is_complete() ) {
			return;
		}
		if ( '' === (string) $order->get_meta( '_kontor_order_id' ) && $order->has_status( Sale::OPEN ) ) {
			// Until it is sent, its goods are not reserved in Kontor.
			$order->update_meta_data( '_kontor_state', 'waiting' );
		}
		$order->update_meta_data( '_kontor_due', 'yes' );
		$order->save_meta_data();
		Queue::add_now( 'kontor_send_order', array( $order->get_id() ) );
	}

	/** WP-Cron loses an event when two requests add one at the same time, and a process may end before its work is done. */
	public static function sweep() {
		$orders = wc_get_orders(
			array(
				'limit'      => 100,
				'meta_key'   => '_kontor_due', // phpcs:ignore WordPress.DB.SlowDBQuery.slow_db_query_meta_key
				'meta_value' => 'yes', // phpcs:ignore WordPress.DB.SlowDBQuery.slow_db_query_meta_value
			)
		);
		foreach ( $orders as $order ) {
			Queue::add( 'kontor_send_order', array( $order->get_id() ) );
		}
	}

	public static function refund_deleted( $refund_id, $order_id ) {
		self::enqueue( $order_id );
	}

	/** The order will not exist when the sale is canceled. */
	public static function before_delete( $order_id ) {
		$order = wc_get_order( $order_id );
		if ( $order instanceof \WC_Order && '' !== (string) $order->get_meta( '_kontor_order_id' ) ) {
			Queue::add( 'kontor_cancel_sale', array( Sale::external_id( $order ), 0 ) );
		}
	}

	/** A sale was changed in Kontor. Ids of sales are those of a company; only the external id shows which order of this shop it is. */
	public static function refresh_sale( $sale_id ) {
		try {
			$sale = self::entry(
				array(
					'order_id' => $sale_id,
					'include'  => array( 'meta' ),
				)
			);
			if ( 1 === preg_match( '/^wc-(\d+)$/', (string) ( $sale['external_id'] ?? '' ), $found ) ) {
				self::send( (int) $found[1] );
			}
		} catch ( Api_Error $error ) {
			// A sale that was deleted is shown as an error when its order changes.
			self::log( "sale $sale_id", $error );
		}
	}

	/** Brings the sale in line with the order. */
	public static function send( $order_id ) {
		$order = wc_get_order( $order_id );
		if ( ! $order instanceof \WC_Order || ! Settings::is_complete() ) {
			return;
		}
		try {
			self::synchronise( $order );
			$order->delete_meta_data( '_kontor_error' );
			$order->delete_meta_data( '_kontor_attempts' );
			$order->delete_meta_data( '_kontor_due' );
			$order->update_meta_data( '_kontor_sent_at', (string) time() );
			$order->save_meta_data();
		} catch ( Api_Error $error ) {
			self::failed( $order, $error );
		}
	}

	public static function cancel_sale( $external_id, $attempt = 0 ) {
		try {
			$sale = self::entry( array( 'external_id' => $external_id ) );
			if ( ! in_array( $sale['status'], array( self::CANCELED, self::SHIPPED ), true ) ) {
				Api::call( 'orders/update_status', self::change( $sale['id'], self::CANCELED ), "$external_id-deleted" );
			}
		} catch ( Api_Error $error ) {
			self::log( $external_id, $error );
			if ( $error->is_retryable() && isset( self::PAUSES[ $attempt ] ) ) {
				Queue::add( 'kontor_cancel_sale', array( $external_id, $attempt + 1 ), max( self::PAUSES[ $attempt ], $error->retry_after ) );
			}
		}
	}

	private static function synchronise( \WC_Order $order ) {
		if ( '' === (string) $order->get_meta( '_kontor_order_id' ) ) {
			if ( ! Sale::is_wanted( $order ) ) {
				$order->delete_meta_data( '_kontor_state' );
				return;
			}
			self::create( $order );
		}
		// Never by the stored id: after a change of the settings it could be that of another company.
		$which = array( 'external_id' => Sale::external_id( $order ) );
		$sale  = self::entry( $which );
		if ( ! Sale::is_wanted( $order ) ) {
			$sale = self::withdraw( $order, $sale );
		} else {
			if ( self::CANCELED === $sale['status'] && 'yes' === $order->get_meta( '_kontor_canceled' ) ) {
				self::write( $order, 'orders/update_status', self::change( $sale['id'], 0 ) );
				$order->delete_meta_data( '_kontor_canceled' );
				$order->add_order_note( __( 'Kontor: the sale is open again.', 'kontor-for-woocommerce' ) );
			}
			self::update_content( $order, $sale['id'] );
			$sale = self::update_payment( $order, self::entry( $which ) );
		}
		self::note_status( $order, $sale );
	}

	private static function create( \WC_Order $order ) {
		try {
			$answer  = self::write( $order, 'orders/add', Sale::whole( $order ) );
			$sale_id = absint( $answer['order_id'] );
			$order->update_meta_data( '_kontor_content', self::fingerprint( $order ) );
			self::note_skipped( $order, $answer['skipped'] ?? array() );
		} catch ( Api_Error $error ) {
			if ( 'external_id_taken' !== $error->error_code ) {
				throw $error;
			}
			// It was sent before, and the shop has lost the response, for example because a backup was restored. Its lines are sent again.
			$sale_id = absint( self::entry( array( 'external_id' => Sale::external_id( $order ) ) )['id'] );
		}
		$order->update_meta_data( '_kontor_order_id', (string) $sale_id );
		$order->update_meta_data( '_kontor_state', 'sent' );
		$order->save_meta_data();
	}

	/** Lines, delivery and discount, after an edit or a refund. */
	private static function update_content( \WC_Order $order, $sale_id ) {
		$fingerprint = self::fingerprint( $order );
		if ( $order->get_meta( '_kontor_content' ) === $fingerprint ) {
			return;
		}
		$answer = self::write( $order, 'orders/edit', array( 'order_id' => $sale_id ) + Sale::content( $order ) );
		$order->update_meta_data( '_kontor_content', $fingerprint );
		$order->add_order_note( __( 'Kontor: the lines of the sale were changed.', 'kontor-for-woocommerce' ) );
		self::note_skipped( $order, $answer['skipped'] ?? array() );
	}

	private static function update_payment( \WC_Order $order, array $sale ) {
		$payment = Sale::payment( $order );
		// What somebody entered in Kontor stays, unless the payment in the shop has changed.
		if ( (string) $order->get_meta( '_kontor_payment' ) === (string) $payment || ( 0 === $payment && '' === (string) $order->get_meta( '_kontor_payment' ) ) ) {
			return $sale;
		}
		if ( $sale['payment'] !== $payment ) {
			self::write( $order, 'orders/update_payment', self::change( $sale['id'], $payment ) );
			$order->add_order_note( 2 === $payment ? __( 'Kontor: the sale is paid.', 'kontor-for-woocommerce' ) : __( 'Kontor: the sale is unpaid.', 'kontor-for-woocommerce' ) );
		}
		$order->update_meta_data( '_kontor_payment', (string) $payment );
		return array( 'payment' => $payment ) + $sale;
	}

	/** The order was canceled, refunded, has failed, or is in the trash. Goods that have left are not taken back by themselves. */
	private static function withdraw( \WC_Order $order, array $sale ) {
		if ( self::CANCELED === $sale['status'] ) {
			return $sale;
		}
		if ( self::SHIPPED === $sale['status'] ) {
			$sale = self::update_payment( $order, $sale );
			if ( 'yes' !== $order->get_meta( '_kontor_kept' ) ) {
				$order->update_meta_data( '_kontor_kept', 'yes' );
				$order->add_order_note( __( 'Kontor: the sale is shipped already, so it was not canceled. If the goods come back, cancel it in Kontor.', 'kontor-for-woocommerce' ) );
			}
			return $sale;
		}
		self::write( $order, 'orders/update_status', self::change( $sale['id'], self::CANCELED ) );
		$order->update_meta_data( '_kontor_canceled', 'yes' );
		return self::update_payment( $order, array( 'status' => self::CANCELED ) + $sale );
	}

	/**
	 * A write with a key that is the same when it is repeated, and another for the next change.
	 *
	 * @throws Api_Error When it does not succeed.
	 */
	private static function write( \WC_Order $order, $method, array $fields ) {
		try {
			$answer = Api::call( $method, $fields, self::key( $order, $method ) );
		} catch ( Api_Error $error ) {
			if ( 'idempotency_key_reused' === $error->error_code ) {
				// The response to another change was lost. That one is done; this one gets a key of its own.
				self::next_revision( $order );
				$answer = Api::call( $method, $fields, self::key( $order, $method ) );
			} else {
				throw $error;
			}
		}
		self::next_revision( $order );
		return $answer;
	}

	private static function key( \WC_Order $order, $what ) {
		return 'wc-' . $order->get_id() . '-' . absint( $order->get_meta( '_kontor_revision' ) ) . '-' . str_replace( '/', '-', $what );
	}

	private static function next_revision( \WC_Order $order ) {
		$order->update_meta_data( '_kontor_revision', (string) ( absint( $order->get_meta( '_kontor_revision' ) ) + 1 ) );
		$order->save_meta_data();
	}

	private static function entry( array $which ) {
		return Api::call( 'orders/get_entry', $which )['order'];
	}

	private static function change( $sale_id, $status ) {
		return array(
			'order_id' => $sale_id,
			'status'   => $status,
		);
	}

	private static function fingerprint( \WC_Order $order ) {
		return md5( (string) wp_json_encode( Sale::content( $order ) ) );
	}

	private static function note_skipped( \WC_Order $order, array $skipped ) {
		$names = array();
		foreach ( $skipped as $line ) {
			$names[] = sanitize_text_field( ( $line['sku'] ?? '?' ) . ' × ' . ( $line['amount'] ?? '?' ) );
		}
		$order->update_meta_data( '_kontor_skipped', $names );
		if ( array() !== $names ) {
			/* translators: %s: list of lines */
			$order->add_order_note( esc_html( sprintf( __( 'Kontor does not know these products, so they are not part of the sale: %s', 'kontor-for-woocommerce' ), implode( ', ', $names ) ) ) );
		}
	}

	private static function note_status( \WC_Order $order, array $sale ) {
		$num    = sanitize_text_field( (string) $sale['num'] );
		$before = (string) $order->get_meta( '_kontor_status' );
		$order->update_meta_data( '_kontor_num', $num );
		$order->update_meta_data( '_kontor_shown_payment', (string) absint( $sale['payment'] ) );
		$order->update_meta_data( '_kontor_status', (string) absint( $sale['status'] ) );
		if ( $before !== (string) absint( $sale['status'] ) ) {
			/* translators: 1: number of the sale 2: its status */
			$order->add_order_note( esc_html( sprintf( __( 'Kontor: sale %1$s is %2$s.', 'kontor-for-woocommerce' ), $num, Order_Screen::status( $sale['status'] ) ) ) );
		}
	}

	private static function failed( \WC_Order $order, Api_Error $error ) {
		$attempt = absint( $order->get_meta( '_kontor_attempts' ) );
		$again   = $error->is_retryable() && isset( self::PAUSES[ $attempt ] );
		if ( $again ) {
			Queue::add( 'kontor_send_order', array( $order->get_id() ), max( self::PAUSES[ $attempt ], $error->retry_after ) );
		} else {
			$order->delete_meta_data( '_kontor_due' );
		}
		$order->update_meta_data( '_kontor_attempts', (string) ( $attempt + 1 ) );
		if ( $order->get_meta( '_kontor_error' ) !== $error->getMessage() ) {
			$order->update_meta_data( '_kontor_error', $error->getMessage() );
			/* translators: %s: error message */
			$order->add_order_note( esc_html( sprintf( __( 'Kontor: %s', 'kontor-for-woocommerce' ), $error->getMessage() ) ) );
		}
		$order->save_meta_data();
		self::log( 'order ' . $order->get_id(), $error );
	}

	/** Errors contain the method, the status and the text of the server, never a key. */
	private static function log( $what, Api_Error $error ) {
		wc_get_logger()->error( "$what: " . $error->getMessage(), array( 'source' => 'kontor' ) );
	}
}
