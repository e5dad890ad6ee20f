"""Studies: train many seeds, measure each, say how often a thing happens. The only place that uses Dask."""
