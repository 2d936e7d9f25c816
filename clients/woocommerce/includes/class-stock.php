<?php
/**
 * Takes stock levels from Kontor: those that changed since the last time.
 *
 * @package Kontor\WooCommerce
 */

namespace Kontor\WooCommerce;

defined( 'ABSPATH' ) || exit;

final class Stock {

	const PAGE         = 500;
	const MAX_PAGES    = 20;
	const LOCK_SECONDS = 300;

	public static function register() {
		add_action( 'kontor_pull_stock', array( self::class, 'pull' ) );
		add_action( 'kontor_poll', array( self::class, 'pull' ) );
	}

	/** The next pull reads everything. */
	public static function forget() {
		delete_option( 'kontor_position' );
	}

	/** Reads the changed levels. The position is stored after each page, so that nothing is missed if it ends in between. */
	public static function pull() {
		if ( ! Settings::is_complete() || ! self::lock() ) {
			return;
		}
		try {
			for ( $page = 0; $page < self::MAX_PAGES; $page++ ) {
				$answer = self::read();
				self::apply( $answer['stock'] );
				update_option(
					'kontor_position',
					array(
						'after' => absint( $answer['next'] ),
						'epoch' => sanitize_text_field( $answer['epoch'] ),
					),
					false
				);
				if ( true !== $answer['more'] ) {
					break;
				}
			}
			if ( self::MAX_PAGES === $page ) {
				Queue::add( 'kontor_pull_stock' );
			}
			self::remember( '' );
		} catch ( Api_Error $error ) {
			self::remember( $error->getMessage() );
			wc_get_logger()->error( $error->getMessage(), array( 'source' => 'kontor' ) );
		} finally {
			delete_option( 'kontor_pull_lock' );
		}
	}

	private static function read() {
		$position = get_option( 'kontor_position', array() );
		$position = is_array( $position ) ? array_intersect_key( $position, array_flip( array( 'after', 'epoch' ) ) ) : array();
		try {
			return Api::call( 'stock/get_changes', $position + array( 'limit' => self::PAGE ) );
		} catch ( Api_Error $error ) {
			if ( 'feed_restarted' !== $error->error_code ) {
				throw $error;
			}
			// A backup of Kontor was restored: what was read may never have happened.
			self::forget();
			return Api::call( 'stock/get_changes', array( 'limit' => self::PAGE ) );
		}
	}

	private static function apply( array $levels ) {
		$waiting = null;
		$storage = absint( Settings::all()['storage_id'] );
		foreach ( $levels as $level ) {
			if ( 'products' !== $level['type'] || '' === (string) $level['sku'] ) {
				continue;
			}
			$product = wc_get_product( wc_get_product_id_by_sku( $level['sku'] ) );
			if ( ! $product ) {
				continue;
			}
			$known = $product->get_meta( '_kontor_levels' );
			$known = is_array( $known ) ? $known : array();

			$known[ absint( $level['storage_id'] ) ] = (float) $level['available'];
			$product->update_meta_data( '_kontor_levels', $known );
			$product->save_meta_data();
			if ( true !== $product->managing_stock() || ( $storage > 0 && ! isset( $known[ $storage ] ) ) ) {
				continue;
			}
			if ( null === $waiting ) {
				$waiting = self::waiting();
			}
			$available = $storage > 0 ? $known[ $storage ] : array_sum( $known );
			$sellable  = floor( $available - ( $waiting[ $level['sku'] ] ?? 0 ) );
			if ( null === $product->get_stock_quantity() || (float) $product->get_stock_quantity() !== $sellable ) {
				wc_update_product_stock( $product, $sellable, 'set' );
			}
		}
	}

	/**
	 * What was ordered and is not yet reserved in Kontor, by SKU: it must not be sold a second time.
	 *
	 * @return array<string, float>
	 */
	private static function waiting() {
		$amounts = array();
		$orders  = wc_get_orders(
			array(
				'limit'      => 200,
				'status'     => Sale::OPEN,
				'meta_key'   => '_kontor_state', // phpcs:ignore WordPress.DB.SlowDBQuery.slow_db_query_meta_key
				'meta_value' => 'waiting', // phpcs:ignore WordPress.DB.SlowDBQuery.slow_db_query_meta_value
			)
		);
		foreach ( $orders as $order ) {
			foreach ( Sale::lines( $order ) as $line ) {
				$amounts[ $line['sku'] ] = ( $amounts[ $line['sku'] ] ?? 0 ) + (float) $line['amount'];
			}
		}
		return $amounts;
	}

	/** One pull at a time: the older of two would undo what the newer has read. Adding an option is atomic. */
	private static function lock() {
		$since = absint( get_option( 'kontor_pull_lock', 0 ) );
		if ( $since > 0 && $since < time() - self::LOCK_SECONDS ) {
			delete_option( 'kontor_pull_lock' );
		}
		if ( add_option( 'kontor_pull_lock', time(), '', 'no' ) ) {
			return true;
		}
		// What the other one does not read any more.
		Queue::add( 'kontor_pull_stock', array(), 30 );
		return false;
	}

	private static function remember( $error ) {
		update_option(
			'kontor_last_pull',
			array(
				'at'    => time(),
				'error' => $error,
			),
			false
		);
	}
}
